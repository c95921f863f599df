//! Ports that stay the same from run to run while they are free.
//!
//! The browser tests carry the sandbox's addresses in their binaries: new ports would build them anew.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use anyhow::Context;

/// As many different free ports of the loopback address as asked for: those kept in `file` where
/// they are free, else others, which are then kept.
pub(crate) fn kept<const COUNT: usize>(file: &Path) -> anyhow::Result<[u16; COUNT]> {
    if let Some(ports) = read(file) {
        return Ok(ports);
    }
    // All are held at once, so that they differ.
    let mut listeners = Vec::with_capacity(COUNT);
    let mut ports = [0; COUNT];
    for port in &mut ports {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free")?;
        *port = listener.local_addr()?.port();
        listeners.push(listener);
    }
    let text: String = ports.iter().map(|port| format!("{port}\n")).collect();
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(ports)
}

fn read<const COUNT: usize>(file: &Path) -> Option<[u16; COUNT]> {
    let text = fs::read_to_string(file).ok()?;
    let ports: Vec<u16> =
        text.lines().map(|line| line.parse().ok().filter(|port| *port != 0)).collect::<Option<_>>()?;
    let held: Vec<TcpListener> =
        ports.iter().filter_map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).ok()).collect();
    if held.len() == ports.len() { ports.try_into().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;

    #[test]
    fn free_ports_are_kept() {
        let folder = scratch("ports");
        let file = folder.join("ports");
        let first: [u16; 2] = kept(&file).unwrap();
        assert_ne!(first[0], first[1]);
        assert_eq!(kept::<2>(&file).unwrap(), first);
    }

    #[test]
    fn a_port_in_use_is_replaced() {
        let folder = scratch("ports-used");
        let file = folder.join("ports");
        let first: [u16; 2] = kept(&file).unwrap();
        let _other = TcpListener::bind((Ipv4Addr::LOCALHOST, first[1])).unwrap();
        let second: [u16; 2] = kept(&file).unwrap();
        assert!(!second.contains(&first[1]));
        assert_eq!(kept::<2>(&file).unwrap(), second);
    }

    #[test]
    fn a_spoilt_file_is_replaced() {
        let folder = scratch("ports-spoilt");
        let file = folder.join("ports");
        for text in ["", "80000\n1\n", "0\n0\n", "4000\n4000\n", "4000\n"] {
            fs::write(&file, text).unwrap();
            let ports: [u16; 2] = kept(&file).unwrap();
            assert_ne!(ports[0], ports[1]);
            assert!(!ports.contains(&0));
        }
    }
}
