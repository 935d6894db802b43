//! The address of this machine in its network.

use std::net::{IpAddr, UdpSocket};

/// The address of this machine in its network. Connecting a UDP socket sends nothing; it only has the system
/// choose the address from which it would send. The destination is reserved for documentation (RFC 5737).
pub fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip())
}
