// What the command line and other hosts show of the inner rooms.
@_exported public import BlocChain
@_exported public import CryptoNight
@_exported public import MachineTopology
@_exported public import MiningWork
@_exported public import struct PoolTransport.CertificateAuthorities
@_exported public import struct PoolTransport.CertificateFileError
@_exported public import struct PoolTransport.CertificateFingerprint
@_exported public import enum PoolTransport.CertificateFingerprintError
@_exported public import struct PoolTransport.PoolAddress
@_exported public import enum PoolTransport.PoolAddressError
@_exported public import struct PoolTransport.ProxyAddress
@_exported public import enum PoolTransport.ProxyAddressError
@_exported public import enum PoolTransport.TLSPolicy
@_exported public import struct PoolTransport.TLSSecurity
@_exported public import struct Stratum.ShareVerdict
