//! The instructions for the reply format, in each language.

/// The parts of the instructions to the model.
pub(super) struct Words {
    /// The format of the control block.
    pub(super) block: &'static str,
    /// The instructions for native tool calls.
    pub(super) native: &'static str,
    /// The instructions for tool calls as text.
    pub(super) text: &'static str,
    /// The heading of the list of tools.
    pub(super) tools: &'static str,
    /// The label of a tool's arguments.
    pub(super) arguments: &'static str,
    /// The statement that there are no tools.
    pub(super) no_tools: &'static str,
    /// The instruction to write a plan, and the instruction to write a thought with tool calls.
    pub(super) plan: &'static str,
    pub(super) reason: &'static str,
    /// The instruction to make the calls now.
    pub(super) act: &'static str,
    /// The instruction to write an observation, and the instruction to write an observation that
    /// may be followed by calls.
    pub(super) observe: &'static str,
    pub(super) observe_and_go_on: &'static str,
}

pub(super) const ENGLISH: Words = Words {
    block: r#"Begin every reply with one control block on its own line:
<gloss>{"thought": "…", "observation": "…", "goal_met": false, "completed": [], "decisions": [], "confidence": 0.8, "complexity": "simple"}</gloss>
It is JSON, read only by the program and never shown. Leave out fields that don't apply:
- thought: why you take this step, in one or two sentences.
- observation: what the last tool results mean for the goal.
- goal_met: true if the goal is met.
- completed: the parts of the goal that these results finish, one short sentence each.
- decisions: rules for later steps, one short sentence each.
- confidence: how sure you are of the answer, from 0 to 1.
- complexity: of the request: simple, moderate or complex.
The user sees what follows the block: Markdown in the language of the request, without other JSON or tags."#,
    native: "To look something up, call a tool. Put calls that don't depend on each other in one reply, and give each its \
reasoning. As soon as you know enough, call nothing and write the answer after the block.",
    text: r#"To call tools, write only one fenced JSON object after the block:
```json
{"tool_calls": [{"id": "a", "name": "tool_name", "arguments": {}, "reasoning": "why this tool with these arguments"}]}
```
Put calls that don't depend on each other in one reply; a call that depends on another names its id in "after". Then stop: the results come in the next message. As soon as you know enough, write the answer after the block, without JSON."#,
    tools: "Tools:",
    arguments: "arguments",
    no_tools: "No tools can be called in this reply.",
    plan: "Write your next step as the thought in the block. Write nothing else unless you can answer.",
    reason: "Write this in the block, then call tools or answer.",
    act: "Call the tools that carry out your last thought.",
    observe: "Write this in the block. If the goal is met, answer.",
    observe_and_go_on: "Write this in the block. If the goal is met, answer; otherwise give the next thought and call tools.",
};

pub(super) const CHINESE: Words = Words {
    block: r#"每次回复都以一个控制块开头，独占一行：
<gloss>{"thought": "…", "observation": "…", "goal_met": false, "completed": [], "decisions": [], "confidence": 0.8, "complexity": "simple"}</gloss>
它是 JSON，只由程序读取，绝不展示。不适用的项略去：
- thought：你为什么现在这样做，一两句话。
- observation：最近的工具结果对目标意味着什么。
- goal_met：目标是否已经达到。
- completed：这些结果完成了目标的哪些部分，各一短句。
- decisions：之后的步骤必须遵守的决定，各一短句。
- confidence：你对回答有多大把握，0 到 1。
- complexity：请求的难度：simple、moderate 或 complex。
控制块之后的内容展示给用户：用请求的语言书写的 Markdown。其中不得有别的 JSON 或别的标签。"#,
    native: "要查找什么，就用你现有的方式调用工具；互不依赖的调用放在同一次回复中。每次调用都写明 reasoning。一旦所知足够就回答：\
不再调用，在控制块之后写出回答。",
    text: r#"要调用工具，在控制块之后只写一个代码围栏内的 JSON 对象：
```json
{"tool_calls": [{"id": "a", "name": "tool_name", "arguments": {}, "reasoning": "为什么用这个工具和这些参数"}]}
```
互不依赖的调用放在同一次回复中；需要另一调用的结果时，在 "after" 中写出它的 id。然后停下：结果会在下一条消息中给出。一旦所知足够就回答：在控制块之后写出回答，不写 JSON。"#,
    tools: "工具：",
    arguments: "参数",
    no_tools: "这次回复没有可调用的工具。",
    plan: "写在控制块中，作为下一步要做什么的 thought。除非已经可以回答，否则只写控制块。",
    reason: "写在控制块中；然后调用工具，或者回答。",
    act: "现在调用能实现你上一个 thought 的工具。",
    observe: "写在控制块中；如果目标已达到，就回答。",
    observe_and_go_on: "写在控制块中。如果目标已达到，就回答；如果没有，给出下一个 thought 并调用工具。",
};
