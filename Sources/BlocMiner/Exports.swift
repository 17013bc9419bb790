// What the command line and other hosts show of the inner rooms.
@_exported public import BlocChain
@_exported public import CryptoNight
@_exported public import MachineTopology
@_exported public import MiningWork
@_exported public import struct PoolTransport.PoolAddress
@_exported public import enum PoolTransport.PoolAddressError
@_exported public import struct Stratum.ShareVerdict
