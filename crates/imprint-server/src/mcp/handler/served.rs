//! The skills extension's methods, with what each era wants around an answer.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer,
    model::{
        CacheScope, GetSkillRequestParams, GetSkillResult, ListResourceTemplatesResult,
        ListResourcesResult, ListSkillsResult, PaginatedRequestParams,
        ReadResourceDirectoryRequestParams, ReadResourceRequestParams, ReadResourceResult,
        ResourceTemplate,
    },
    service::RequestContext,
};

use super::{super::extension::Trouble, Asker, Handler, TTL_MS, apart};

/// What addresses look like, with RFC 6570's words for a name and a path.
const TEMPLATES: [(&str, &str, &str); 2] = [
    (
        "skill://skills/{name}/{+path}",
        "skill",
        "A file of one of the user's skills; its SKILL.md comes first",
    ),
    (
        "skill://personas/{name}/{+path}",
        "persona",
        "A file of one of the user's personas, a role to take or to hand to a subagent",
    ),
];

impl Handler {
    pub(super) async fn skills_page(
        &self,
        params: Option<PaginatedRequestParams>,
        request: &RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let asker = self.heard(request);
        let cursor = params.and_then(|params| params.cursor);
        let extension = Arc::clone(&self.extension);
        let caller = Arc::clone(&asker.caller);
        let page = apart(async move { extension.list(&caller, cursor.as_deref()).await }).await??;
        let skills = page.entries.iter().map(|entry| entry.skill.clone());
        let mut result = ListSkillsResult::with_all_items(skills.collect());
        result.next_cursor = page.next;
        result.meta = self.meta(&asker);
        (result.ttl_ms, result.cache_scope) = freshness(&asker);
        Ok(result)
    }

    pub(super) async fn one_skill(
        &self,
        params: GetSkillRequestParams,
        request: &RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        let asker = self.heard(request);
        let extension = Arc::clone(&self.extension);
        let caller = Arc::clone(&asker.caller);
        let entry = apart(async move { extension.entry(&caller, &params.uri).await }).await??;
        let mut result = GetSkillResult::new(entry.skill.clone());
        result.meta = self.meta(&asker);
        (result.ttl_ms, result.cache_scope) = freshness(&asker);
        Ok(result)
    }

    pub(super) async fn resources_page(
        &self,
        params: Option<PaginatedRequestParams>,
        request: &RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let asker = self.heard(request);
        let cursor = params.and_then(|params| params.cursor);
        let extension = Arc::clone(&self.extension);
        let caller = Arc::clone(&asker.caller);
        let page =
            apart(async move { extension.resources(&caller, cursor.as_deref()).await }).await??;
        let mut result = ListResourcesResult::with_all_items(page.entries);
        result.next_cursor = page.next;
        result.meta = self.meta(&asker);
        (result.ttl_ms, result.cache_scope) = freshness(&asker);
        Ok(result)
    }

    pub(super) async fn directory_page(
        &self,
        params: ReadResourceDirectoryRequestParams,
        request: &RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let asker = self.heard(request);
        let extension = Arc::clone(&self.extension);
        let caller = Arc::clone(&asker.caller);
        let page = apart(async move {
            let cursor = params.cursor.as_deref();
            extension.children(&caller, &params.uri, cursor).await
        })
        .await??;
        let mut result = ListResourcesResult::with_all_items(page.entries);
        result.next_cursor = page.next;
        result.meta = self.meta(&asker);
        (result.ttl_ms, result.cache_scope) = freshness(&asker);
        Ok(result)
    }

    pub(super) async fn resource(
        &self,
        params: ReadResourceRequestParams,
        request: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResult, ErrorData> {
        let asker = self.heard(request);
        let extension = Arc::clone(&self.extension);
        let caller = Arc::clone(&asker.caller);
        let read = apart(async move { extension.read(&caller, &params.uri).await }).await?;
        let contents = read.map_err(|trouble| match trouble {
            // The older era has a code for it, which the SDK puts in the newer one's words.
            Trouble::Unknown => ErrorData::resource_not_found("nothing has this `uri`", None),
            other => other.into(),
        })?;
        let mut result = ReadResourceResult::new(vec![contents]);
        result.meta = self.meta(&asker);
        (result.ttl_ms, result.cache_scope) = freshness(&asker);
        Ok(result)
    }

    pub(super) fn templates(
        &self,
        request: &RequestContext<RoleServer>,
    ) -> ListResourceTemplatesResult {
        let asker = self.heard(request);
        let templates = TEMPLATES.map(|(template, name, description)| {
            ResourceTemplate::new(template, name).with_description(description)
        });
        let mut result = ListResourceTemplatesResult::with_all_items(templates.into());
        result.meta = self.meta(&asker);
        (result.ttl_ms, result.cache_scope) = freshness(&asker);
        result
    }

    fn heard(&self, request: &RequestContext<RoleServer>) -> Asker {
        let asker = self.asker(request);
        asker.be_heard();
        asker
    }
}

/// How long a modern client may keep what it got, and for whom.
pub(super) fn freshness(asker: &Asker) -> (Option<u64>, Option<CacheScope>) {
    if asker.modern {
        (Some(TTL_MS), Some(CacheScope::Private))
    } else {
        (None, None)
    }
}
