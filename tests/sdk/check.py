"""Judges the bodies of our requests by the types of the providers' own SDKs.

Example: `check.py target/requests` reads `target/requests/messages/rich.json`, which a
native test wrote, and takes it as `anthropic.types.MessageCreateParams`, where no field may be
missing, unknown or of another type. Each kind of body is also spoilt in a few ways, all of which
must be refused: a judge that takes everything judges nothing.
"""

import base64
import copy
import json
import sys
import typing
from pathlib import Path

# Checked lazily otherwise, which is never. Before the SDKs name it.
typing.Iterable = typing.List

from pydantic import ConfigDict, TypeAdapter, ValidationError  # noqa: E402
from typing_extensions import is_typeddict  # noqa: E402
from google.ai.generativelanguage_v1beta.types import GenerateContentRequest  # noqa: E402
from google.protobuf import json_format  # noqa: E402
import anthropic.types  # noqa: E402
import ollama._types as ollama  # noqa: E402
import openai.types.chat  # noqa: E402
import openai.types.responses  # noqa: E402
from anthropic.types import message_create_params as messages  # noqa: E402
from openai.types.chat import completion_create_params as completions  # noqa: E402
from openai.types.responses import response_create_params as responses  # noqa: E402

STRICT = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


class Refused(Exception):
    """A body is not what the provider documents."""


def forbid_unknown_fields(package):
    """Of every TypedDict of an SDK."""
    for name, module in list(sys.modules.items()):
        if name.startswith(package):
            for item in vars(module).values():
                if isinstance(item, type) and is_typeddict(item):
                    item.__pydantic_config__ = STRICT


def typed_dict(streaming, whole):
    """Judges by one of two TypedDicts."""
    adapters = {True: TypeAdapter(streaming), False: TypeAdapter(whole)}

    def judge(body):
        adapters[body.get("stream", False)].validate_python(body)

    return judge


def gemini(body):
    """The model stands in the address."""
    json_format.ParseDict({**body, "model": "models/m"}, GenerateContentRequest.pb()())


def strict(model):
    """The same model, which takes no unknown field; nor do those that its fields name."""

    class Strict(model):
        model_config = ConfigDict(extra="forbid")

    return Strict


OLLAMA_REQUEST = strict(ollama.ChatRequest)
OLLAMA_MESSAGE = strict(ollama.Message)
OLLAMA_CALL = strict(ollama.Message.ToolCall)
OLLAMA_FUNCTION = strict(ollama.Message.ToolCall.Function)
OLLAMA_OPTIONS = strict(ollama.Options)
OLLAMA_TOOL = strict(ollama.Tool)
OLLAMA_TOOL_FUNCTION = strict(ollama.Tool.Function)


def ollama_chat(body):
    """Part by part: its types take any mapping for a message."""
    OLLAMA_REQUEST.model_validate(body)
    OLLAMA_OPTIONS.model_validate(body.get("options", {}))
    for tool in body.get("tools", []):
        OLLAMA_TOOL.model_validate(tool)
        OLLAMA_TOOL_FUNCTION.model_validate(tool["function"])
    for message in body["messages"]:
        images = message.get("images", [])
        OLLAMA_MESSAGE.model_validate({**message, "images": [{"value": image} for image in images]})
        for image in images:
            base64.b64decode(image, validate=True)
        for call in message.get("tool_calls", []):
            OLLAMA_CALL.model_validate(call)
            OLLAMA_FUNCTION.model_validate(call["function"])


def judges():
    """By the name of the interface."""
    for package in ("anthropic.", "openai."):
        forbid_unknown_fields(package)
    return {
        "chat_completions": typed_dict(
            completions.CompletionCreateParamsStreaming, completions.CompletionCreateParamsNonStreaming
        ),
        "responses": typed_dict(
            responses.ResponseCreateParamsStreaming, responses.ResponseCreateParamsNonStreaming
        ),
        "messages": typed_dict(
            messages.MessageCreateParamsStreaming, messages.MessageCreateParamsNonStreaming
        ),
        "gemini": gemini,
        "ollama": ollama_chat,
    }


def refusal(judge, body):
    """Why a body is refused; None if it is not."""
    try:
        judge(body)
    except (ValidationError, json_format.ParseError, ValueError, KeyError) as error:
        return str(error)
    return None


# Where each interface has: its list of turns, and a tool's description.
PLACES = {
    "chat_completions": (["messages"], ["tools", 0, "function", "description"]),
    "responses": (["input"], ["tools", 0, "description"]),
    "messages": (["messages"], ["tools", 0, "description"]),
    "gemini": (["contents"], ["tools", 0, "functionDeclarations", 0, "description"]),
    "ollama": (["messages"], ["tools", 0, "function", "description"]),
}


def put(body, path, value):
    """Sets what stands at a path."""
    *before, last = path
    for name in before:
        body = body[name]
    body[last] = value


def spoilt(api, body):
    """The same body with one thing wrong each, and what that is."""
    turns, description = PLACES[api]
    for what, path, value in [
        ("an unknown field", ["no_such_field"], 1),
        ("turns that are none", turns, 7),
        ("an unknown field of a turn", [*turns, 0, "no_such_field"], 1),
        ("a turn of an unknown form", [*turns, 0], {"no_such_field": 1}),
        ("a description that is no text", description, {"text": 1}),
        ("an unknown field of a tool", [*description[:-1], "no_such_field"], 1),
    ]:
        wrong = copy.deepcopy(body)
        put(wrong, path, value)
        yield what, wrong


def main(folder):
    """Judges every body; says what was refused and what should have been."""
    wrong, count = [], 0
    for api, judge in judges().items():
        files = sorted((folder / api).glob("*.json"))
        if len(files) < 4:
            wrong.append(f"{api}: only {len(files)} bodies were written to {folder}")
        for file in files:
            count += 1
            body = json.loads(file.read_text())
            why = refusal(judge, body)
            if why is not None:
                wrong.append(f"{file}: {why}")
        rich = json.loads((folder / api / "rich.json").read_text())
        for what, body in spoilt(api, rich):
            if refusal(judge, body) is None:
                wrong.append(f"{api}: {what} was not refused")
    if wrong:
        sys.exit("\n\n".join(wrong))
    print(f"{count} bodies are as the providers' own types have them")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
