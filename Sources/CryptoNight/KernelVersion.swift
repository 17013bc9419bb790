internal import CHashKernels

/// Which generation of kernels this is.
public enum KernelVersion {
    /// Goes up with every change that may move the fastest form of work, so that old tuning results are not used.
    public static let current = Int(CHK_KERNEL_VERSION)
}
