//! Fetching clients' documents: anyone can make this server fetch any address, so it fetches from
//! the public network alone, little, shortly, and without following anyone elsewhere.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use imprint_core::{
    Clock,
    oauth::{ClientId, OauthClient},
};
use reqwest::{Client, Response, header, redirect::Policy};
use tokio::sync::Semaphore;
use url::{Host, Url};

use super::{
    ClientDocuments, DocumentError, document,
    freshness::fresh_for,
    resolve::{Names, PublicNames, SystemNames},
};

/// How long one may take, from the look-up of the name to the last byte.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes of one.
const MOST_BYTES: usize = 64 * 1024;
/// How many are fetched at a time.
const AT_ONCE: usize = 4;
/// How many are remembered.
const REMEMBERED: usize = 200;

/// Documents from the web.
pub(crate) struct WebDocuments {
    /// `None` where TLS can't be set up: then no document can be fetched.
    client: Option<Client>,
    clock: Arc<dyn Clock>,
    remembered: Mutex<HashMap<ClientId, (OauthClient, Instant)>>,
    fetching: Semaphore,
}

impl WebDocuments {
    /// Documents by the names that the system knows.
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self::by_names(Arc::new(SystemNames), clock)
    }

    fn by_names(names: Arc<dyn Names>, clock: Arc<dyn Clock>) -> Self {
        let client = guarded_client(names);
        if let Err(error) = &client {
            tracing::warn!(%error, "clients' documents can't be fetched: TLS can't be set up");
        }
        Self {
            client: client.ok(),
            clock,
            remembered: Mutex::default(),
            fetching: Semaphore::new(AT_ONCE),
        }
    }

    fn remembered(&self, id: &ClientId) -> Option<OauthClient> {
        let remembered = self
            .remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let (client, until) = remembered.get(id)?;
        (Instant::now() < *until).then(|| client.clone())
    }

    fn remember(&self, client: &OauthClient, fresh: Duration) {
        let now = Instant::now();
        let mut remembered = self
            .remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if remembered.len() >= REMEMBERED {
            remembered.retain(|_, (_, until)| now < *until);
        }
        if remembered.len() < REMEMBERED {
            remembered.insert(client.id.clone(), (client.clone(), now + fresh));
        }
    }

    async fn fetch(
        &self,
        id: &ClientId,
        url: Url,
    ) -> Result<(OauthClient, Duration), DocumentError> {
        let client = self.client.as_ref().ok_or(DocumentError::Unreachable)?;
        let _one_of_few = self.fetching.acquire().await;
        let answer = client.get(url).header(header::ACCEPT, "application/json");
        let answer = answer.send().await.map_err(unreachable)?;
        if answer.status() != reqwest::StatusCode::OK || !is_json(&answer) {
            return Err(DocumentError::Unreachable);
        }
        let fresh = fresh_for(answer.headers());
        let body = bounded_body(answer).await?;
        let client = document::read(id, &body, self.clock.now())?;
        Ok((client, fresh))
    }
}

#[async_trait]
impl ClientDocuments for WebDocuments {
    async fn client(&self, id: &ClientId) -> Result<OauthClient, DocumentError> {
        if let Some(client) = self.remembered(id) {
            return Ok(client);
        }
        let url = fetchable(id)?;
        let fetched = tokio::time::timeout(PATIENCE, self.fetch(id, url)).await;
        let (client, fresh) = fetched.map_err(|_| DocumentError::Unreachable)??;
        self.remember(&client, fresh);
        Ok(client)
    }
}

impl fmt::Debug for WebDocuments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebDocuments").finish_non_exhaustive()
    }
}

/// An HTTP client that can connect to nothing but the public network. It takes no proxy from the
/// environment, because a proxy would look names up itself.
fn guarded_client(names: Arc<dyn Names>) -> reqwest::Result<Client> {
    // Fails only when one is installed already, which will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .https_only(true)
        .redirect(Policy::none())
        .no_proxy()
        .referer(false)
        .dns_resolver(PublicNames(names))
        .timeout(PATIENCE)
        .pool_max_idle_per_host(0)
        .user_agent("imprint")
        .build()
}

/// The address of a client's document. An address with a number in place of a name would never
/// come before the names' judge, and no client that is known has one.
fn fetchable(id: &ClientId) -> Result<Url, DocumentError> {
    let ClientId::Document(address) = id else {
        return Err(DocumentError::Unreachable);
    };
    let url = Url::parse(address).map_err(|_| DocumentError::Unreachable)?;
    match url.host() {
        Some(Host::Domain(_)) if url.scheme() == "https" => Ok(url),
        _ => Err(DocumentError::Unreachable),
    }
}

fn is_json(answer: &Response) -> bool {
    let kind = answer.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}

async fn bounded_body(mut answer: Response) -> Result<Vec<u8>, DocumentError> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(DocumentError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// What went wrong is for the log: a stranger who is told learns about the network in here.
fn unreachable(error: reqwest::Error) -> DocumentError {
    let error = error.without_url();
    tracing::info!(%error, "a client's document can't be fetched");
    DocumentError::Unreachable
}

#[cfg(test)]
mod tests {
    use std::{
        net::{IpAddr, TcpListener},
        sync::atomic::{AtomicUsize, Ordering},
    };

    use imprint_core::Timestamp;
    use reqwest::dns::Resolve as _;
    use uuid::Uuid;

    use super::*;

    #[derive(Debug)]
    struct Noon;

    impl Clock for Noon {
        fn now(&self) -> Timestamp {
            Timestamp(0)
        }

        fn new_uuid(&self) -> Uuid {
            Uuid::nil()
        }

        fn entropy(&self) -> [u8; 32] {
            [0; 32]
        }
    }

    /// A name that is public when it is first looked up, and this machine afterwards.
    #[derive(Debug, Default)]
    struct Flipping(AtomicUsize);

    #[async_trait]
    impl Names for Flipping {
        async fn addresses(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
            let first = self.0.fetch_add(1, Ordering::Relaxed) == 0;
            let address = if first { "93.184.216.34" } else { "127.0.0.1" };
            Ok(vec![address.parse().unwrap()])
        }
    }

    /// A name with these addresses.
    #[derive(Debug)]
    struct Fixed(Vec<IpAddr>);

    #[async_trait]
    impl Names for Fixed {
        async fn addresses(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
            Ok(self.0.clone())
        }
    }

    fn listener() -> (TcpListener, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        (listener, port)
    }

    async fn fetched(names: impl Names + 'static, address: &str) -> DocumentError {
        let documents = WebDocuments::by_names(Arc::new(names), Arc::new(Noon));
        let id = address.parse().unwrap();
        documents.client(&id).await.unwrap_err()
    }

    #[tokio::test]
    async fn a_name_that_flips_to_this_machine_is_not_followed() {
        let names = PublicNames(Arc::new(Flipping::default()));
        let addresses = |name: &str| names.resolve(name.parse().unwrap());
        assert_eq!(addresses("rebind.example").await.unwrap().count(), 1);
        assert!(addresses("rebind.example").await.is_err());

        let (listener, port) = listener();
        let flipped = Flipping(AtomicUsize::new(1));
        let address = format!("https://rebind.example:{port}/client.json");
        assert_eq!(fetched(flipped, &address).await, DocumentError::Unreachable);
        assert!(listener.accept().is_err(), "it was connected to");
    }

    #[tokio::test]
    async fn a_name_with_one_inner_address_among_others_is_not_followed() {
        let (listener, port) = listener();
        let mixed = ["93.184.216.34", "::ffff:127.0.0.1"].map(|text| text.parse().unwrap());
        let address = format!("https://mixed.example:{port}/client.json");
        let error = fetched(Fixed(mixed.into()), &address).await;
        assert_eq!(error, DocumentError::Unreachable);
        assert!(listener.accept().is_err(), "it was connected to");
    }

    #[tokio::test]
    async fn numbers_in_place_of_names_are_not_followed() {
        let (listener, port) = listener();
        for host in [
            "127.0.0.1",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "169.254.169.254",
        ] {
            let address = format!("https://{host}:{port}/client.json");
            // Some are no client ids at all, being written in another way than browsers do.
            if let Ok(id) = address.parse() {
                let documents = WebDocuments::new(Arc::new(Noon));
                let error = documents.client(&id).await.unwrap_err();
                assert_eq!(error, DocumentError::Unreachable, "{host}");
            }
        }
        assert!(listener.accept().is_err(), "it was connected to");
    }

    #[test]
    fn what_is_remembered_is_bounded_and_ends() {
        let documents = WebDocuments::by_names(Arc::new(Fixed(Vec::new())), Arc::new(Noon));
        let client = |number: usize| OauthClient {
            id: format!("https://client.example/{number}").parse().unwrap(),
            name: "A client".to_owned(),
            redirects: Vec::new(),
            created_at: Timestamp(0),
            used_at: None,
        };
        documents.remember(&client(0), Duration::ZERO);
        assert!(documents.remembered(&client(0).id).is_none());
        for number in 1..=2 * REMEMBERED {
            documents.remember(&client(number), Duration::from_secs(60));
        }
        assert!(documents.remembered(&client(1).id).is_some());
        assert!(documents.remembered.lock().unwrap().len() <= REMEMBERED);
    }
}
