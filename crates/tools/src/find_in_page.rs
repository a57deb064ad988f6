//! `find_in_page`: the passages of the page that relate to a question.

use super::schema::arguments;
use super::{Destination, Output, Requirement, Tool, ToolContext, ToolError};
use futures::FutureExt;
use gloss_durable::Fut;
use gloss_reader::PageService;

/// The tool's name.
pub(crate) const NAME: &str = "find_in_page";

/// The maximum number of passages in a result.
const PASSAGES: usize = 8;

/// The tool `find_in_page`. It searches the page's sections, then the paragraphs of the best
/// sections.
pub(super) struct FindInPage {
    pub(super) page_service: PageService,
}

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// The question or the words to find.
        query: String,
    }
}

impl Tool for FindInPage {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;
    const TITLE: &'static str = "msg:tool_find";
    const SUMMARY: &'static str = "msg:tool_find_means";

    const DESTINATION: Destination = Destination::Device;

    const NEEDS: Option<Requirement> = Some(Requirement::Page);

    const DESCRIPTION: &'static str = "Finds the passages of the user's page that are relevant \
        to a question, best first, with ids. Use for a fact, a figure, a name or a claim on the \
        page. Don't use for a summary: use summarize_page_content.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "query": "How high is a spring tide at Brest?" }"#,
        r#"{ "query": "who measured the neap tide" }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let page_service = self.page_service.clone();
        async move {
            let page = context.run.page.ok_or(ToolError::NoPage)?;
            let found = page_service.find(&page, arguments.query, PASSAGES).await?;
            Ok(Output::passages(found))
        }
        .boxed_local()
    }
}
