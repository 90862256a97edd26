//! What the OpenAPI document says beside the resources.

use utoipa::openapi::{
    InfoBuilder, LicenseBuilder, OpenApi, SecurityRequirement,
    security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

/// Adds the title, and that every request needs a key.
pub(super) fn complete(mut document: OpenApi) -> OpenApi {
    let license = LicenseBuilder::new()
        .name("Apache-2.0")
        .identifier(Some("Apache-2.0"))
        .build();
    document.info = InfoBuilder::new()
        .title("Imprint")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "What the command line does to items, their history, proposals, keys, sessions and the \
             audit. Every request needs a key in the `Authorization` header; what a key may not see \
             is not there. Errors are problem details (RFC 9457).",
        ))
        .license(Some(license))
        .build();
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("sak_…")
        .description(Some(
            "A key that `imprint keys create` made, or an OAuth access token",
        ))
        .build();
    let mut components = document.components.unwrap_or_default();
    components.add_security_scheme("key", SecurityScheme::Http(key));
    document.components = Some(components);
    document.security = Some(vec![SecurityRequirement::new("key", [""; 0])]);
    document
}
