//! A builder for DOM elements, with attributes, children and event listeners.

use sycamore::prelude::*;
use sycamore::web::{AttributeValue, BoolAttribute, HtmlNode, StringAttribute};
use sycamore::web::{ViewHtmlNode, ViewNode};
use wasm_bindgen::{JsCast, JsValue};

/// Content of an element.
pub(crate) trait IntoView {
    fn into_view(self) -> View;
}

impl IntoView for View {
    fn into_view(self) -> View {
        self
    }
}

impl IntoView for Tag {
    fn into_view(self) -> View {
        View::from_node(self.0)
    }
}

impl IntoView for String {
    fn into_view(self) -> View {
        self.into()
    }
}

impl IntoView for &'static str {
    fn into_view(self) -> View {
        self.into()
    }
}

impl<V: IntoView> IntoView for Option<V> {
    fn into_view(self) -> View {
        self.map(V::into_view).unwrap_or_default()
    }
}

impl<V: IntoView> IntoView for Vec<V> {
    fn into_view(self) -> View {
        self.into_iter()
            .map(V::into_view)
            .collect::<Vec<_>>()
            .into()
    }
}

impl<V: IntoView, const N: usize> IntoView for [V; N] {
    fn into_view(self) -> View {
        Vec::from(self.map(V::into_view)).into()
    }
}

macro_rules! tuples_into_view {
    ($(($($part:ident)*))*) => {
        $(impl<$($part: IntoView),*> IntoView for ($($part,)*) {
            #[expect(non_snake_case, reason = "a type's name, as of its value")]
            fn into_view(self) -> View {
                let ($($part,)*) = self;
                View::from(vec![$($part.into_view()),*])
            }
        })*
    };
}

tuples_into_view! {
    (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
}

impl IntoView for () {
    fn into_view(self) -> View {
        View::new()
    }
}

/// Several parts, without an element around them.
pub(crate) fn fragment(parts: impl IntoView) -> View {
    parts.into_view()
}

/// A DOM element that is being built.
pub(crate) struct Tag(HtmlNode);

/// An element with its children: `"p.meta.num"` is a paragraph of two classes.
pub(crate) fn tag(name: &'static str, children: impl IntoView) -> Tag {
    create(name, children.into_view())
}

fn create(name: &'static str, children: View) -> Tag {
    let (name, classes) = name.split_once('.').unwrap_or((name, ""));
    let mut node = HtmlNode::create_element(name.into());
    node.append_view(children);
    let tag = Tag(node);
    if classes.is_empty() {
        tag
    } else {
        tag.attr("class", classes.replace('.', " "))
    }
}

impl Tag {
    /// Sets an attribute to a text, or removes it if `value` is `None`. A closure makes the
    /// attribute follow signals.
    pub(crate) fn attr(mut self, name: &'static str, value: impl Into<StringAttribute>) -> Self {
        value.into().set_self(&mut self.0, name.into());
        self
    }

    pub(crate) fn flag(mut self, name: &'static str, value: impl Into<BoolAttribute>) -> Self {
        value.into().set_self(&mut self.0, name.into());
        self
    }

    pub(crate) fn id(self, id: impl Into<StringAttribute>) -> Self {
        self.attr("id", id)
    }

    pub(crate) fn class(self, class: impl Into<StringAttribute>) -> Self {
        self.attr("class", class)
    }

    /// Sets the accessible name.
    pub(crate) fn name(self, name: impl Into<StringAttribute>) -> Self {
        self.attr("aria-label", name)
    }

    pub(crate) fn tip(self, tip: impl Into<StringAttribute>) -> Self {
        self.attr("title", tip)
    }

    pub(crate) fn role(self, role: impl Into<StringAttribute>) -> Self {
        self.attr("role", role)
    }

    pub(crate) fn disabled(self, value: impl Into<BoolAttribute>) -> Self {
        self.flag("disabled", value)
    }

    /// Sets a property, and sets it again when a signal that `value` reads changes.
    pub(crate) fn prop(
        mut self,
        name: &'static str,
        value: impl Fn() -> JsValue + 'static,
    ) -> Self {
        MaybeDyn::<JsValue>::from(value).set_self(&mut self.0, name.into());
        self
    }

    /// Sets the value of a control.
    pub(crate) fn value(self, value: impl Fn() -> String + 'static) -> Self {
        self.prop("value", move || value().into())
    }

    /// Turns a switch, checkbox or radio button on or off.
    pub(crate) fn checked(self, is_on: impl Fn() -> bool + 'static) -> Self {
        self.prop("checked", move || is_on().into())
    }

    /// Shows the signal's text in the control, and sets the signal when the user types.
    pub(crate) fn bind(self, signal: Signal<String>) -> Self {
        let typed = move |event: web_sys::Event| signal.set(crate::browser::value(&event));
        self.value(move || signal.get_clone()).on("input", typed)
    }

    /// Calls `does` on each event of this name.
    pub(crate) fn on<E: JsCast>(
        self,
        event: &'static str,
        mut does: impl FnMut(E) + 'static,
    ) -> Self {
        self.listen(event, Box::new(move |event| does(event.unchecked_into())))
    }

    /// Calls `pressed` on each click.
    pub(crate) fn press(self, mut pressed: impl FnMut() + 'static) -> Self {
        self.listen("click", Box::new(move |_| pressed()))
    }

    /// Calls `sent` when the form is submitted, and prevents the browser's own submission.
    pub(crate) fn on_submit(self, sent: impl Fn() + 'static) -> Self {
        self.on("submit", move |event: web_sys::Event| {
            event.prevent_default();
            sent();
        })
    }

    /// Adds a listener. It runs in the scope in which the element is built, so that it finds the
    /// contexts.
    fn listen(mut self, event: &'static str, mut does: Box<dyn FnMut(web_sys::Event)>) -> Self {
        let scope = use_current_scope();
        self.0.set_event_handler(event.into(), move |event| {
            scope.run_in(|| does(event));
        });
        self
    }

    /// Makes the node reference point to this element.
    pub(crate) fn node(self, node: NodeRef) -> Self {
        node.set(Some(self.0.as_web_sys().clone()));
        self
    }
}

impl From<Tag> for View {
    fn from(tag: Tag) -> Self {
        Self::from_node(tag.0)
    }
}

/// `"true"` or `"false"`, for attributes such as `aria-expanded`.
pub(crate) fn bool_text(state: bool) -> &'static str {
    if state { "true" } else { "false" }
}
