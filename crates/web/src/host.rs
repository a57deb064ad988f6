//! The host of an address.

/// Returns the host of an address; the address itself if it has none.
pub fn host(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    host.rsplit('@').next().unwrap_or(host).to_lowercase()
}
