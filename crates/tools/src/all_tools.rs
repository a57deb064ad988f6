//! The list of all tools. A new tool is added here.

use crate::{
    ToolDyn, explain_text_with_context, extract_screenshot_text, find_in_page, get_current_time,
    grade_search_results, image_generate, memory_retrieve, memory_save, recall_details,
    rewrite_search_query, summarize_page_content, web_fetch, web_search,
};
use gloss_durable::JournalReader;
use gloss_host::Host;
use gloss_reader::PageService;
use gloss_web::Fetcher;
use gloss_web::rag::Judge;
use std::rc::Rc;

/// Returns all tools of Gloss. They use `page_service` and the services of `host`.
pub fn all(host: &Host, page_service: &PageService) -> Rc<[Rc<dyn ToolDyn>]> {
    let fetcher = Fetcher::new(host, page_service);
    let judge = || Judge {
        page_service: page_service.clone(),
        clock: host.clock.clone(),
        languages: host.languages.clone(),
    };
    let page_service = || page_service.clone();
    Rc::new([
        Rc::new(explain_text_with_context::ExplainTextWithContext {
            page_service: page_service(),
        }),
        Rc::new(summarize_page_content::SummarizePageContent {
            page_service: page_service(),
        }),
        Rc::new(find_in_page::FindInPage {
            page_service: page_service(),
        }),
        Rc::new(recall_details::RecallDetails {
            page_service: page_service(),
            recorded: JournalReader::of(&host.ports()),
        }),
        Rc::new(web_search::WebSearch {
            fetcher: fetcher.clone(),
            judge: judge(),
        }),
        Rc::new(web_fetch::WebFetch {
            fetcher,
            page_service: page_service(),
        }),
        Rc::new(get_current_time::GetCurrentTime {
            clock: host.clock.clone(),
            zones: host.zones.clone(),
            assets: host.assets.clone(),
        }),
        Rc::new(extract_screenshot_text::ExtractScreenshotText {
            tabs: host.tabs.clone(),
            screenshots: host.screenshots.clone(),
            clock: host.clock.clone(),
        }),
        Rc::new(image_generate::ImageGenerate),
        Rc::new(grade_search_results::GradeSearchResults { judge: judge() }),
        Rc::new(rewrite_search_query::RewriteSearchQuery { judge: judge() }),
        Rc::new(memory_save::MemorySave),
        Rc::new(memory_retrieve::MemoryRetrieve {
            page_service: page_service(),
        }),
    ])
}
