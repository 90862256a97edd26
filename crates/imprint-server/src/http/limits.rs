//! How often a key may ask, and how often an address may fail to show one. Loopback is no
//! exception: a web page or another user's program can sit there as well (CVE-2026-28363).

use std::{
    hash::Hash,
    net::IpAddr,
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use axum::response::{IntoResponse, Response};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::NoOpMiddleware,
    state::keyed::DefaultKeyedStateStore,
};
use http::{HeaderValue, StatusCode, header};

use super::problem::Problem;

/// So many times a minute on average, and so many at once after a rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    /// How many a minute gives back.
    pub(crate) per_minute: NonZeroU32,
    /// How many may come at once.
    pub(crate) burst: NonZeroU32,
}

impl Rate {
    /// A rate; zero counts as one.
    pub(crate) const fn new(per_minute: u32, burst: u32) -> Self {
        Self {
            per_minute: at_least_one(per_minute),
            burst: at_least_one(burst),
        }
    }

    fn quota(self) -> Quota {
        Quota::per_minute(self.per_minute).allow_burst(self.burst)
    }
}

const fn at_least_one(number: u32) -> NonZeroU32 {
    match NonZeroU32::new(number) {
        Some(number) => number,
        None => NonZeroU32::MIN,
    }
}

/// The rates of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LimitsConfig {
    /// Requests of one key.
    pub(crate) requests: Rate,
    /// Of those, the ones that change something.
    pub(crate) writes: Rate,
    /// Requests of one address with a missing or wrong key.
    pub(crate) failures: Rate,
}

impl LimitsConfig {
    /// So many requests of a key a minute, a tenth of them changes, and a sixth of them at once.
    pub(crate) fn of_requests(per_minute: u32) -> Self {
        Self {
            requests: Rate::new(per_minute, per_minute / 6),
            writes: Rate::new(per_minute / 10, per_minute / 10),
            ..Self::default()
        }
    }
}

impl Default for LimitsConfig {
    fn default() -> Self {
        Self {
            requests: Rate::new(600, 100),
            writes: Rate::new(60, 60),
            failures: Rate::new(10, 10),
        }
    }
}

/// Too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded {
    /// After how long the next try counts.
    pub(crate) retry_after: Duration,
}

impl Exceeded {
    /// The wait in whole seconds, rounded up: who waits that long is let in.
    pub(crate) fn seconds(self) -> u64 {
        let part = u64::from(self.retry_after.subsec_nanos() > 0);
        (self.retry_after.as_secs() + part).max(1)
    }
}

impl IntoResponse for Exceeded {
    fn into_response(self) -> Response {
        let seconds = self.seconds();
        let detail = format!("Too many requests, try again in {seconds} s");
        let problem = Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-many-requests",
            "Too many requests",
            detail,
        );
        let mut response = problem.into_response();
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        response
    }
}

/// Counts by key (any id `K`) and by address. Lives in this process: each of several processes on
/// one database counts for itself.
///
/// A good key is never refused for what others do at its address: at 178 random bits there is
/// nothing to guess, and blocking an address would let any local program lock its owner out.
#[derive(Debug)]
pub(crate) struct Limits<K, C = DefaultClock>
where
    K: Hash + Eq + Clone,
    C: Clock + Clone,
{
    requests: Counter<K, C>,
    writes: Counter<K, C>,
    failures: PerAddress<C>,
}

impl<K: Hash + Eq + Clone> Limits<K> {
    /// Counts in real time.
    pub(crate) fn new(config: LimitsConfig) -> Self {
        Self::with_clock(config, &DefaultClock::default())
    }
}

impl<K: Hash + Eq + Clone, C: Clock + Clone> Limits<K, C> {
    /// Counts in the time of `clock`.
    pub(crate) fn with_clock(config: LimitsConfig, clock: &C) -> Self {
        Self {
            requests: Counter::new(config.requests, clock),
            writes: Counter::new(config.writes, clock),
            failures: PerAddress(Counter::new(config.failures, clock)),
        }
    }

    /// Counts a request of `key`.
    pub(crate) fn request(&self, key: &K) -> Result<(), Exceeded> {
        self.requests.count(key)
    }

    /// Counts a change that `key` asks for, beside its [`Limits::request`].
    pub(crate) fn write(&self, key: &K) -> Result<(), Exceeded> {
        self.writes.count(key)
    }

    /// Counts a request from `address` that showed no good key. On an error the answer is 429
    /// in place of 401.
    pub(crate) fn failure(&self, address: IpAddr) -> Result<(), Exceeded> {
        self.failures.count(address)
    }
}

/// One rate, counted by the address that requests come from.
#[derive(Debug)]
pub(crate) struct PerAddress<C: Clock + Clone = DefaultClock>(Counter<Place, C>);

impl PerAddress {
    /// Counts in real time.
    pub(crate) fn new(rate: Rate) -> Self {
        Self(Counter::new(rate, &DefaultClock::default()))
    }
}

impl<C: Clock + Clone> PerAddress<C> {
    /// Counts a request from `address`.
    pub(crate) fn count(&self, address: IpAddr) -> Result<(), Exceeded> {
        let place = if self.0.is_full() {
            Place::Crowd
        } else {
            Place::of(address)
        };
        self.0.count(&place)
    }
}

/// What is held responsible for failed attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    V4(u32),
    /// The first 64 bits: who has one IPv6 address has all of its /64.
    V6(u64),
    /// Everyone at once, when more places fail than are worth remembering.
    Crowd,
}

impl Place {
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.to_bits()),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Self::V6(
                    [a, b, c, d]
                        .iter()
                        .fold(0, |bits, part| bits << 16 | u64::from(*part)),
                )
            }
        }
    }
}

/// How many counts go by between two sweeps.
const SWEEP_EVERY: u32 = 1024;
/// How many keys or places one counter remembers (about 100 bytes each) before places are joined.
const REMEMBERED: usize = 8192;

/// One rate, counted by `K`, that forgets who has been quiet for long enough to be as good as new.
#[derive(Debug)]
struct Counter<K: Hash + Eq + Clone, C: Clock + Clone> {
    limiter: RateLimiter<K, DefaultKeyedStateStore<K>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
    since_sweep: AtomicU32,
}

impl<K: Hash + Eq + Clone, C: Clock + Clone> Counter<K, C> {
    fn new(rate: Rate, clock: &C) -> Self {
        let store = DefaultKeyedStateStore::default();
        let limiter = RateLimiter::new(rate.quota(), store, clock.clone());
        Self {
            limiter,
            clock: clock.clone(),
            since_sweep: AtomicU32::new(0),
        }
    }

    fn count(&self, key: &K) -> Result<(), Exceeded> {
        if self.since_sweep.fetch_add(1, Ordering::Relaxed) >= SWEEP_EVERY {
            self.since_sweep.store(0, Ordering::Relaxed);
            self.limiter.retain_recent();
        }
        let refused = self.limiter.check_key(key);
        refused.map_err(|until| Exceeded {
            retry_after: until.wait_time_from(self.clock.now()),
        })
    }

    fn is_full(&self) -> bool {
        self.limiter.len() >= REMEMBERED
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limits() -> (Limits<&'static str, FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (Limits::with_clock(LimitsConfig::default(), &clock), clock)
    }

    #[test]
    fn a_key_has_its_burst_and_then_ten_a_second() {
        let (limits, clock) = limits();
        let burst = (0..1000).filter(|_| limits.request(&"a").is_ok()).count();
        assert_eq!(burst, 100);
        let refused = limits.request(&"a").unwrap_err();
        assert_eq!(
            (refused.retry_after, refused.seconds()),
            (Duration::from_millis(100), 1)
        );
        assert!(limits.request(&"b").is_ok(), "keys don't share");
        clock.advance(Duration::from_secs(5));
        assert_eq!(
            (0..1000).filter(|_| limits.request(&"a").is_ok()).count(),
            50
        );
    }

    #[test]
    fn writes_are_counted_apart() {
        let (limits, clock) = limits();
        assert_eq!((0..1000).filter(|_| limits.write(&"a").is_ok()).count(), 60);
        assert!(limits.request(&"a").is_ok());
        clock.advance(Duration::from_secs(1));
        assert!(limits.write(&"a").is_ok() && limits.write(&"a").is_err());
    }

    #[test]
    fn the_eleventh_failure_has_to_wait_on_loopback_too() {
        let (limits, clock) = limits();
        let loopback = IpAddr::from(Ipv4Addr::LOCALHOST);
        for _ in 0..10 {
            assert!(limits.failure(loopback).is_ok());
        }
        let wait = limits.failure(loopback).unwrap_err();
        assert_eq!(wait.seconds(), 6);
        assert!(limits.failure(Ipv4Addr::new(127, 0, 0, 2).into()).is_ok());
        clock.advance(Duration::from_secs(wait.seconds()));
        assert!(limits.failure(loopback).is_ok() && limits.failure(loopback).is_err());
    }

    #[test]
    fn one_ipv6_network_is_one_place_and_mapped_ipv4_is_itself() {
        let place = |text: &str| Place::of(text.parse().unwrap());
        assert_eq!(
            place("2001:db8:1:2::1"),
            place("2001:db8:1:2:ffff:ffff:ffff:ffff")
        );
        assert_ne!(place("2001:db8:1:2::1"), place("2001:db8:1:3::1"));
        assert_eq!(place("::ffff:192.0.2.7"), place("192.0.2.7"));
    }

    #[test]
    fn memory_is_bounded_and_the_quiet_are_forgotten() {
        let (limits, clock) = limits();
        for number in 0..20_000_u128 {
            let _counted = limits.failure(Ipv6Addr::from_bits(number << 64).into());
        }
        assert!(limits.failures.0.limiter.len() <= REMEMBERED + 1);
        clock.advance(Duration::from_secs(120));
        for _ in 0..=SWEEP_EVERY {
            let _counted = limits.failure(Ipv4Addr::LOCALHOST.into());
        }
        assert!(limits.failures.0.limiter.len() <= 2);
    }

    #[test]
    fn waits_are_whole_seconds_rounded_up() {
        let seconds = |millis| {
            Exceeded {
                retry_after: Duration::from_millis(millis),
            }
            .seconds()
        };
        assert_eq!([0, 1, 999, 1000, 1001].map(seconds), [1, 1, 1, 1, 2]);
        let response = Exceeded {
            retry_after: Duration::from_millis(5_400),
        }
        .into_response();
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(response.headers()[header::RETRY_AFTER], "6");
    }
}
