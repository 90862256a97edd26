//! From which address a request comes. What headers say of it counts only when a trusted proxy
//! sent them.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap, HeaderName, header};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Headers by which proxies and tunnels show themselves, beside every `x-forwarded-*` and `cf-*`.
const PROXY_HEADERS: &[&str] = &[
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-forwarded-for",
    "x-original-host",
    "x-envoy-external-address",
    "true-client-ip",
    "fastly-client-ip",
    "fly-client-ip",
    "cdn-loop",
];
const PROXY_PREFIXES: &[&str] = &["x-forwarded-", "cf-"];

/// Where a request comes from, as far as its connection shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CallerAddress {
    /// The address to hold responsible; IPv4 in its own form, never mapped into IPv6.
    pub(crate) ip: IpAddr,
    /// From this machine, and no header says that a proxy or tunnel passed it on.
    pub(crate) direct_loopback: bool,
}

/// The networks whose word about addresses counts (`--trusted-proxy`). None by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrustedProxies {
    networks: Vec<IpNet>,
}

impl TrustedProxies {
    /// Trusts every proxy in `networks`.
    pub(crate) fn new(networks: Vec<IpNet>) -> Self {
        Self { networks }
    }

    /// Where the request comes from that came over the connection of `peer` with `headers`.
    ///
    /// Behind trusted proxies that is the right-most address that none of them has: what stands
    /// left of it anyone can have written. The chain ends at an entry that is no address. Where
    /// `Forwarded` and `X-Forwarded-For` disagree, one of them passed through unchecked, and the
    /// proxy itself is held responsible.
    pub(crate) fn caller(&self, peer: IpAddr, headers: &HeaderMap) -> CallerAddress {
        let peer = peer.to_canonical();
        let direct_loopback = peer.is_loopback() && !headers.keys().any(shows_a_proxy);
        let ip = if self.trusts(peer) {
            self.forwarded(peer, headers)
        } else {
            peer
        };
        CallerAddress {
            ip,
            direct_loopback,
        }
    }

    /// Where a request comes from, by what its connection left in `extensions`. Without a peer it
    /// counts as far away.
    pub(crate) fn caller_of(&self, extensions: &Extensions, headers: &HeaderMap) -> CallerAddress {
        match extensions.get::<ConnectInfo<SocketAddr>>() {
            Some(ConnectInfo(peer)) => self.caller(peer.ip(), headers),
            None => CallerAddress {
                ip: IpAddr::from([0, 0, 0, 0]),
                direct_loopback: false,
            },
        }
    }

    fn trusts(&self, address: IpAddr) -> bool {
        self.networks
            .iter()
            .any(|network| network.contains(&address))
    }

    fn forwarded(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let plain = entries(headers, &X_FORWARDED_FOR);
        let standard = entries(headers, &header::FORWARDED);
        match (plain, standard) {
            (None, None) => peer,
            (Some(list), None) => self.last_stranger(peer, list.split(',').map(address)),
            (None, Some(list)) => self.last_stranger(peer, elements(&list).map(forwarded_for)),
            (Some(plain), Some(standard)) => {
                let plain = self.last_stranger(peer, plain.split(',').map(address));
                let standard = self.last_stranger(peer, elements(&standard).map(forwarded_for));
                if plain == standard { plain } else { peer }
            }
        }
    }

    /// The right-most address of `chain` (client first) that is no trusted proxy's, or else the
    /// last one before the chain breaks off.
    fn last_stranger(&self, peer: IpAddr, chain: impl Iterator<Item = Option<IpAddr>>) -> IpAddr {
        let chain: Vec<_> = chain.collect();
        let mut nearest = peer;
        for address in chain.into_iter().rev() {
            let Some(address) = address else { break };
            nearest = address;
            if !self.trusts(address) {
                break;
            }
        }
        nearest
    }
}

fn shows_a_proxy(name: &HeaderName) -> bool {
    let name = name.as_str();
    PROXY_HEADERS.contains(&name) || PROXY_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// All lines of a list header as one list. A line that is no text breaks the chain there.
fn entries(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let lines = headers.get_all(name).iter();
    let lines: Vec<_> = lines.map(|line| line.to_str().unwrap_or("?")).collect();
    (!lines.is_empty()).then(|| lines.join(","))
}

/// The elements of a `Forwarded` list (RFC 7239): commas inside quoted text part nothing.
fn elements(list: &str) -> impl Iterator<Item = &str> {
    split_outside_quotes(list, ',')
}

/// The address in an element's `for`; None when it names none, or more than one.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let pairs = split_outside_quotes(element, ';').filter_map(|pair| pair.split_once('='));
    let mut nodes = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    let (_, node) = nodes.next()?;
    let node = node.trim();
    let quoted = node
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    nodes
        .next()
        .is_none()
        .then(|| address(quoted.unwrap_or(node)))?
}

fn split_outside_quotes(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    text.split(move |letter| {
        let literal = std::mem::take(&mut escaped);
        match letter {
            '\\' if quoted && !literal => escaped = true,
            '"' if !literal => quoted = !quoted,
            _ => {}
        }
        letter == separator && !quoted
    })
}

/// An address with or without a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`,
/// `[2001:db8::1]`, `[2001:db8::1]:80`.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    bare.parse::<IpAddr>()
        .ok()
        .or_else(with_port)
        .map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn proxies() -> TrustedProxies {
        let networks = ["127.0.0.1/32", "10.0.0.0/8", "2001:db8:1::/48"];
        TrustedProxies::new(
            networks
                .iter()
                .map(|network| network.parse().unwrap())
                .collect(),
        )
    }

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        const X: &str = "x-forwarded-for";
        const F: &str = "forwarded";
        type Case = (
            &'static str,
            &'static [(&'static str, &'static str)],
            &'static str,
        );
        let cases: &[Case] = &[
            ("203.0.113.9", &[(X, "198.51.100.1")], "203.0.113.9"),
            ("203.0.113.9", &[(F, "for=127.0.0.1")], "203.0.113.9"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("::ffff:10.0.0.1", &[(X, "198.51.100.1")], "198.51.100.1"),
            (
                "10.0.0.1",
                &[(X, "127.0.0.1, 198.51.100.1")],
                "198.51.100.1",
            ),
            (
                "10.0.0.1",
                &[(X, "6.6.6.6, 198.51.100.1, 10.2.3.4")],
                "198.51.100.1",
            ),
            (
                "10.0.0.1",
                &[(X, "6.6.6.6"), (X, "198.51.100.1")],
                "198.51.100.1",
            ),
            ("10.0.0.1", &[(X, "10.9.9.9, 10.2.3.4")], "10.9.9.9"),
            ("10.0.0.1", &[(X, "6.6.6.6, unknown, 10.2.3.4")], "10.2.3.4"),
            ("10.0.0.1", &[(X, "6.6.6.6, ")], "10.0.0.1"),
            ("10.0.0.1", &[(X, "198.51.100.1:4711")], "198.51.100.1"),
            ("10.0.0.1", &[(X, "[2001:db8::1]:4711")], "2001:db8::1"),
            ("10.0.0.1", &[(X, "2001:db8::1")], "2001:db8::1"),
            ("10.0.0.1", &[(X, "::ffff:198.51.100.1")], "198.51.100.1"),
            (
                "2001:db8:1::5",
                &[(F, "for=198.51.100.1;proto=https")],
                "198.51.100.1",
            ),
            (
                "10.0.0.1",
                &[(F, "For=\"[2001:db8::1]:4711\"")],
                "2001:db8::1",
            ),
            (
                "10.0.0.1",
                &[(F, "for=6.6.6.6, for=198.51.100.1;by=10.0.0.1")],
                "198.51.100.1",
            ),
            (
                "10.0.0.1",
                &[(F, "for=\"6.6.6.6, for=7.7.7.7\"")],
                "10.0.0.1",
            ),
            ("10.0.0.1", &[(F, "for=_hidden, for=10.2.2.2")], "10.2.2.2"),
            ("10.0.0.1", &[(F, "for=6.6.6.6;for=7.7.7.7")], "10.0.0.1"),
            (
                "10.0.0.1",
                &[(F, "for=198.51.100.1"), (X, "198.51.100.1")],
                "198.51.100.1",
            ),
            (
                "10.0.0.1",
                &[(F, "for=6.6.6.6"), (X, "198.51.100.1")],
                "10.0.0.1",
            ),
        ];
        for (peer, lines, expected) in cases {
            let caller = proxies().caller(peer.parse().unwrap(), &headers(lines));
            assert_eq!(caller.ip.to_string(), *expected, "{peer} {lines:?}");
        }
    }

    #[test]
    fn loopback_is_direct_only_without_any_sign_of_a_proxy() {
        let direct = |peer: &str, lines: &[(&'static str, &str)]| {
            proxies()
                .caller(peer.parse().unwrap(), &headers(lines))
                .direct_loopback
        };
        assert!(direct("127.0.0.1", &[]) && direct("127.8.8.8", &[("accept", "*/*")]));
        assert!(direct("::1", &[]) && direct("::ffff:127.0.0.1", &[]));
        assert!(!direct("192.168.1.2", &[]) && !direct("10.0.0.1", &[]));
        for name in [
            "forwarded",
            "via",
            "x-real-ip",
            "x-forwarded-proto",
            "cf-ray",
        ] {
            assert!(!direct("127.0.0.1", &[(name, "")]), "{name}");
        }
    }

    #[test]
    fn without_a_peer_nobody_is_near() {
        let caller = proxies().caller_of(&Extensions::new(), &HeaderMap::new());
        assert!(!caller.direct_loopback);
    }

    proptest! {
        #[test]
        fn no_header_bytes_are_believed_of_a_stranger(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let Ok(value) = HeaderValue::from_bytes(&bytes) else { return Ok(()) };
            for name in [X_FORWARDED_FOR, header::FORWARDED] {
                let headers = HeaderMap::from_iter([(name, value.clone())]);
                let stranger: IpAddr = [203, 0, 113, 9].into();
                prop_assert_eq!(proxies().caller(stranger, &headers).ip, stranger);
                let _any_address = proxies().caller([10, 0, 0, 1].into(), &headers);
            }
        }
    }
}
