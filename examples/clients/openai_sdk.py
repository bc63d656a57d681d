"""Uses Wegweiser through OpenAI's own Python library; see README.md."""

import json
import os

import openai

BASE = os.environ.get("WEGWEISER_URL", "http://127.0.0.1:8080")
KEY = os.environ.get("WEGWEISER_KEY", "ohne-schluessel")
QUESTION = "Was hilft gegen Aufschieben?"

client = openai.OpenAI(base_url=f"{BASE}/v1", api_key=KEY, max_retries=0)


def messages(question):
    return [
        {"role": "system", "content": "Du bist freundlich."},
        {"role": "user", "content": [{"type": "text", "text": question}]},
    ]


models = [model.id for model in client.models.list()]
print("models:", models)
assert models == ["wegweiser"]

answer = client.chat.completions.create(
    model="wegweiser", messages=messages(QUESTION), temperature=0.3, max_tokens=500
)
message = answer.choices[0].message
print("answer:", answer.wegweiser["author"], "finish:", answer.choices[0].finish_reason, "usage:", answer.usage.total_tokens)
print(message.content)
assert answer.wegweiser["answerable"] is True and "[1]" in message.content
for annotation in message.annotations:
    citation = annotation.url_citation
    assert message.content[citation.start_index : citation.end_index].startswith("["), citation
    print("citation:", citation.title, citation.url)
assert message.annotations

stream = client.chat.completions.create(
    model="wegweiser",
    messages=messages(QUESTION),
    stream=True,
    stream_options={"include_usage": True},
)
pieces, usage, reasons = [], None, []
for chunk in stream:
    usage = chunk.usage or usage
    for choice in chunk.choices:
        pieces.append(choice.delta.content or "")
        reasons += [choice.finish_reason] if choice.finish_reason else []
print("stream:", len(pieces), "pieces, finish:", reasons, "usage:", usage)
assert "".join(pieces) == message.content and reasons == ["stop"] and usage is not None

refused = client.chat.completions.create(model="wegweiser", messages=messages("Wie hoch ist der Mount Everest?"))
print("refusal:", refused.choices[0].message.content.splitlines()[0])
assert refused.wegweiser["author"] == "refusal"

try:
    client.chat.completions.create(model="gpt-4", messages=messages(QUESTION))
    raise AssertionError("an unknown model must be refused")
except openai.NotFoundError as error:
    print("unknown model:", error.status_code, error.code)
    assert error.code == "model_unknown"
try:
    client.chat.completions.create(model="wegweiser", messages=messages(""))
    raise AssertionError("an empty question must be refused")
except openai.BadRequestError as error:
    print("empty question:", error.status_code, error.code)
    assert error.code == "question_empty"
try:
    client.post("/chat/completions", body={"model": "wegweiser"}, cast_to=object)
    raise AssertionError("a request without messages must be refused")
except openai.UnprocessableEntityError as error:
    print("no messages:", error.status_code, error.code, "|", error.body["message"])
    assert error.code == "invalid_body"
try:
    openai.OpenAI(base_url=f"{BASE}/v1", api_key="sk-falsch", max_retries=0).models.list()
    assert KEY == "ohne-schluessel", "a wrong key must be refused where there are keys"
except openai.AuthenticationError as error:
    print("wrong key:", error.status_code, error.code)
    assert error.code == "key_invalid"

# What a frontend asks its model for besides: a title for the conversation.
chore = (
    '### Task:\nGenerate a concise title.\n### Output:\nJSON format: { "title": "your title" }\n'
    f"### Chat History:\n<chat_history>\nUSER: {QUESTION}\nASSISTANT: Klein anfangen.\n</chat_history>"
)
title = client.chat.completions.create(model="wegweiser", messages=messages(chore)).choices[0].message.content
print("title:", title)
assert json.loads(title) == {"title": QUESTION}
print("ok: openai", openai.__version__)
