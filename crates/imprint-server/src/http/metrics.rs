//! What `/metrics` shows: counts and durations of requests, streams, tools and refusals, as
//! Prometheus reads them. Labels come from our own tables, never from what a client sent.

mod process;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use http::{Method, StatusCode};
use prometheus_client::{
    encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder, text::encode},
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
        info::Info,
    },
    registry::Registry,
};

use self::process::ProcessMetrics;

/// The media type of [`Metrics::text`].
pub(crate) const METRICS_TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How many pairs of tool and outcome are told apart; more can only be a fault of ours.
const TOOL_LABELS: usize = 256;

/// All measurements of one server. A cheap handle: clones count into the same numbers.
#[derive(Clone, Debug)]
pub(crate) struct Metrics {
    measured: Arc<Measured>,
}

#[derive(Debug)]
struct Measured {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram, fn() -> Histogram>,
    in_flight: Gauge,
    open_streams: Gauge,
    tool_calls: Family<ToolLabels, Counter>,
    tool_labels: AtomicUsize,
    failed_authentications: Counter,
    rate_limited: Family<LimitLabels, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: &'static str,
    status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: String,
    method: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ToolLabels {
    tool: String,
    outcome: ToolOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LimitLabels {
    limit: Limit,
}

/// How a tool call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ToolOutcome {
    /// The tool did what was asked.
    Done,
    /// The tool said why it could not.
    Failed,
    /// The key may not call it, or there is no such tool.
    Refused,
}

/// Which limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Limit {
    /// Requests of one key.
    Requests,
    /// Changes by one key.
    Writes,
    /// Failed attempts of one address.
    Failures,
}

impl EncodeLabelValue for ToolOutcome {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        let text = match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Refused => "refused",
        };
        text.encode(encoder)
    }
}

impl EncodeLabelValue for Limit {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        let text = match self {
            Self::Requests => "requests",
            Self::Writes => "writes",
            Self::Failures => "failures",
        };
        text.encode(encoder)
    }
}

impl Metrics {
    /// Nothing measured yet. `version` is the program's.
    pub(crate) fn new(version: &str) -> Self {
        let mut measured = Measured {
            registry: Registry::default(),
            requests: Family::default(),
            // From half a millisecond to about eight seconds.
            durations: Family::new_with_constructor(|| {
                Histogram::new(exponential_buckets(0.0005, 2.0, 15))
            }),
            in_flight: Gauge::default(),
            open_streams: Gauge::default(),
            tool_calls: Family::default(),
            tool_labels: AtomicUsize::new(0),
            failed_authentications: Counter::default(),
            rate_limited: Family::default(),
        };
        measured.register(version);
        Self {
            measured: Arc::new(measured),
        }
    }

    /// Counts a request that has been answered. `route` is the matched pattern, not the path.
    pub(crate) fn answered(
        &self,
        route: &str,
        method: &Method,
        status: StatusCode,
        took: Duration,
    ) {
        self.finished(route, method, status_class(status));
        let labels = RouteLabels {
            route: route.to_owned(),
            method: method_name(method),
        };
        self.measured
            .durations
            .get_or_create(&labels)
            .observe(took.as_secs_f64());
    }

    /// Counts a request whose client went away before it was answered.
    pub(crate) fn abandoned(&self, route: &str, method: &Method) {
        self.finished(route, method, "abandoned");
    }

    fn finished(&self, route: &str, method: &Method, status: &'static str) {
        let labels = RequestLabels {
            route: route.to_owned(),
            method: method_name(method),
            status,
        };
        self.measured.requests.get_or_create(&labels).inc();
    }

    /// Counts a request as being worked on until the value is dropped.
    pub(crate) fn in_flight(&self) -> Held {
        Held::new(&self.measured.in_flight)
    }

    /// Counts an open stream until the value is dropped.
    pub(crate) fn open_stream(&self) -> Held {
        Held::new(&self.measured.open_streams)
    }

    /// Counts a call of a tool. `tool` is a name of ours, not one that a client made up.
    pub(crate) fn tool_call(&self, tool: &str, outcome: ToolOutcome) {
        let calls = &self.measured.tool_calls;
        let mut labels = ToolLabels {
            tool: tool.to_owned(),
            outcome,
        };
        if let Some(count) = calls.get(&labels) {
            count.inc();
            return;
        }
        if self.measured.tool_labels.fetch_add(1, Ordering::Relaxed) >= TOOL_LABELS {
            "other".clone_into(&mut labels.tool);
        }
        calls.get_or_create(&labels).inc();
    }

    /// Counts a request without a good key.
    pub(crate) fn failed_authentication(&self) {
        self.measured.failed_authentications.inc();
    }

    /// Counts a request that was refused because of `limit`.
    pub(crate) fn rate_limited(&self, limit: Limit) {
        self.measured
            .rate_limited
            .get_or_create(&LimitLabels { limit })
            .inc();
    }

    /// Everything measured so far, in the OpenMetrics text format.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a string fails only where a label refuses to be written, and none does.
        let _never_fails = encode(&mut text, &self.measured.registry);
        text
    }
}

impl Measured {
    fn register(&mut self, version: &str) {
        let build = Info::new([("version".to_owned(), version.to_owned())]);
        let registry = self.registry.sub_registry_with_prefix("imprint");
        registry.register("build", "The running program", build);
        registry.register(
            "http_requests",
            "Requests by route, method and status class",
            self.requests.clone(),
        );
        registry.register(
            "http_request_duration_seconds",
            "Time to the head of the response",
            self.durations.clone(),
        );
        registry.register(
            "http_requests_in_flight",
            "Requests being worked on",
            self.in_flight.clone(),
        );
        registry.register(
            "open_streams",
            "Open event streams",
            self.open_streams.clone(),
        );
        registry.register(
            "tool_calls",
            "Tool calls by tool and outcome",
            self.tool_calls.clone(),
        );
        registry.register(
            "failed_authentications",
            "Requests without a good key",
            self.failed_authentications.clone(),
        );
        registry.register(
            "rate_limited",
            "Requests refused by a rate limit",
            self.rate_limited.clone(),
        );
        self.registry
            .register_collector(Box::new(ProcessMetrics::starting_now()));
    }
}

/// One more in a gauge, until dropped.
#[derive(Debug)]
pub(crate) struct Held {
    gauge: Gauge<i64, AtomicI64>,
}

impl Held {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self {
            gauge: gauge.clone(),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.gauge.dec();
    }
}

/// The method by name; one that HTTP doesn't define could be anything.
pub(super) fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "OTHER",
    }
}

fn status_class(status: StatusCode) -> &'static str {
    match status.as_u16() / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(metrics: &Metrics, start: &str) -> String {
        let text = metrics.text();
        assert!(text.ends_with("# EOF\n"), "{text}");
        let lines = text.lines().filter(|line| line.starts_with(start));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn requests_are_counted_by_route_method_and_status_class() {
        let metrics = Metrics::new("1.2.3");
        let odd = Method::from_bytes(b"BREW").unwrap();
        for status in [StatusCode::OK, StatusCode::ACCEPTED] {
            metrics.answered("/mcp", &Method::POST, status, Duration::from_millis(3));
        }
        metrics.clone().abandoned("/mcp", &odd);
        insta::assert_snapshot!(lines(&metrics, "imprint_build"), @r#"imprint_build_info{version="1.2.3"} 1"#);
        let requests = lines(&metrics, "imprint_http_requests_total");
        let mut requests: Vec<_> = requests.lines().collect();
        requests.sort_unstable();
        insta::assert_snapshot!(requests.join("\n"), @r#"
        imprint_http_requests_total{route="/mcp",method="OTHER",status="abandoned"} 1
        imprint_http_requests_total{route="/mcp",method="POST",status="2xx"} 2
        "#);
        let durations = lines(&metrics, "imprint_http_request_duration_seconds_count");
        insta::assert_snapshot!(durations, @r#"imprint_http_request_duration_seconds_count{route="/mcp",method="POST"} 2"#);
    }

    #[test]
    fn what_is_held_counts_until_dropped() {
        let metrics = Metrics::new("1");
        let stream = metrics.open_stream();
        let working = [metrics.in_flight(), metrics.in_flight()];
        assert_eq!(
            lines(&metrics, "imprint_open_streams "),
            "imprint_open_streams 1"
        );
        let flight = "imprint_http_requests_in_flight ";
        assert_eq!(lines(&metrics, flight), format!("{flight}2"));
        drop((stream, working));
        assert_eq!(
            lines(&metrics, "imprint_open_streams "),
            "imprint_open_streams 0"
        );
        assert_eq!(lines(&metrics, flight), format!("{flight}0"));
    }

    #[test]
    fn refusals_and_tools_are_counted() {
        let metrics = Metrics::new("1");
        metrics.failed_authentication();
        metrics.rate_limited(Limit::Failures);
        metrics.tool_call("skills", ToolOutcome::Done);
        insta::assert_snapshot!(lines(&metrics, "imprint_failed"), @"imprint_failed_authentications_total 1");
        insta::assert_snapshot!(lines(&metrics, "imprint_rate"), @r#"imprint_rate_limited_total{limit="failures"} 1"#);
        insta::assert_snapshot!(lines(&metrics, "imprint_tool"), @r#"imprint_tool_calls_total{tool="skills",outcome="done"} 1"#);
    }

    #[test]
    fn made_up_tool_names_cannot_fill_the_memory() {
        let metrics = Metrics::new("1");
        for number in 0..1000 {
            metrics.tool_call(&format!("tool_{number}"), ToolOutcome::Refused);
        }
        let shown = lines(&metrics, "imprint_tool_calls_total");
        assert_eq!(shown.lines().count(), TOOL_LABELS + 1);
        assert!(
            shown.contains(r#"{tool="other",outcome="refused"} 744"#),
            "{shown}"
        );
    }

    #[test]
    fn the_process_is_described() {
        let metrics = Metrics::new("1");
        assert!(
            !lines(&metrics, "process_start_time_seconds ").is_empty(),
            "{}",
            metrics.text()
        );
        if cfg!(target_os = "linux") {
            assert!(!lines(&metrics, "process_resident_memory_bytes ").is_empty());
            assert!(!lines(&metrics, "process_open_fds ").is_empty());
        }
    }
}
