"""Third-party clients against a sandbox of their own.

An OAuth 2 library gets tokens; schemathesis checks the sandbox's replies against its OpenAPI document, and a
client is generated from it.

    python run.py SANDBOX

SANDBOX is the sandbox's program. Exits with status 0 on success.
"""

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

# It refuses plain http, even on a loopback address.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.requests_client import OAuth2Session  # noqa: E402
import requests  # noqa: E402
from openapi_spec_validator import validate  # noqa: E402
from schemathesis.openapi import from_url  # noqa: E402

DOCUMENT = "/sandbox/openapi.json"
# The service's rules may refuse what the schema allows, so this check cannot hold.
EXCLUDED_CHECK = "positive_data_acceptance"
passed = 0


def check(name, work):
    """Runs one check, which passes if it raises nothing; returns its result."""
    global passed
    result = work()
    passed += 1
    print(f"ok {passed} - {name}", flush=True)
    return result


def authlib(sandbox, method, **extra):
    """Gets a token, which must work; returns its session."""
    session = OAuth2Session(sandbox["clientId"], sandbox["clientSecret"], token_endpoint_auth_method=method)
    url = f"{sandbox['baseUrl']}/v1/oauth/token"
    session.fetch_token(url, grant_type="client_credentials", audience=sandbox["baseUrl"], **extra)
    reply = session.get(f"{sandbox['baseUrl']}/v1/corridors")
    assert reply.status_code == 200 and len(reply.json()) > 10, reply.status_code
    assert session.token["token_type"] == "Bearer" and session.token["expires_in"] > 0
    return session


def request_json(session, sandbox, method, path, body=None, **query):
    reply = session.request(method, sandbox["baseUrl"] + path, json=body, params=query)
    assert reply.ok, f"{method} {path}: {reply.status_code} {reply.text}"
    return reply.json()


def records(session, sandbox):
    """Creates records that schemathesis can name; without them it only gets "not found"."""
    corridor = {"dstCountryIso3Code": "MEX", "dstCurrencyIso3Code": "MXN", "transferMethod": "BANK_ACCOUNT"}

    def fields(**values):
        return [{"id": name, "value": value} for name, value in values.items()]

    person = fields(firstName="Ana", lastName="Prueba", ADDRESS_LINE_1="Calle Mayor 1")
    body = {"userType": "PERSON", "fields": person, **corridor}
    recipient = request_json(session, sandbox, "POST", "/v1/recipients", body)
    accounts = f"/v1/recipients/{recipient['recipientId']}/accounts"
    bank = fields(BANK_ID="MEX-B-1", BANK_ACCOUNT_NUMBER="012345678901234567")
    account = request_json(session, sandbox, "POST", accounts, {"fields": bank, **corridor})
    price = {**corridor, "srcCurrencyIso3Code": "USD", "quoteBy": "SEND_AMOUNT", "amount": 10000}
    quote = request_json(session, sandbox, "GET", "/v1/quote", **price)
    transfer = request_json(session, sandbox, "POST", "/v1/transfers", {
        **price,
        "quoteHistoryId": quote["quoteHistoryId"],
        "recipientId": recipient["recipientId"],
        "recipientAccountId": account["recipientAccountId"],
        "nonce": request_json(session, sandbox, "GET", "/v1/nonce")["nonce"],
        "customerHold": True,
    })
    mode = {"entityMode": "RECIPIENT"}
    card = request_json(session, sandbox, "POST", "/v1/card-onboarding-sessions", mode)
    return {
        "path.senderId": sandbox["senderId"],
        "path.recipientId": recipient["recipientId"],
        "path.accId": account["recipientAccountId"],
        "path.quoteHistoryId": quote["quoteHistoryId"],
        "path.transferId": transfer["transferId"],
        "path.transferRequestId": transfer["transferRequestId"],
        "path.sessionId": card["id"],
        "path.country": "MEX",
        "path.state": "MEX-1",
        "path.city": "MEX-1-1",
        "path.payer": "MEX-1-1-1",
        "path.bank": "MEX-B-1",
    }


def schemathesis(sandbox, session, known, examples):
    """Tries every operation with valid and invalid requests."""
    # Deletions would remove the records that the others need.
    deletions = ["deleteSender", "deleteRecipient", "deleteRecipientAccount"]
    excluded = ["cardForm", *(deletions if known else [])]
    lines = ["[parameters]", *(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in known.items())]
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "schemathesis.toml")
        config.write_text("\n".join(lines) + "\n")
        program = Path(sysconfig.get_path("scripts"), "st")
        command = [program, "--config-file", config, "run", sandbox["baseUrl"] + DOCUMENT]
        command += ["--url", sandbox["baseUrl"]]
        command += ["--header", f"Authorization: Bearer {session.token['access_token']}"]
        command += ["--seed", "1", "--max-examples", str(examples), "--continue-on-failure"]
        command += ["--exclude-checks", EXCLUDED_CHECK, "--warnings", "off", "--no-color"]
        for operation in excluded:
            command += ["--exclude-operation-id", operation]
        done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    summary = [line for line in done.stdout.splitlines() if "generated" in line or "Tested:" in line]
    print("\n".join(summary), flush=True)


def control(sandbox):
    """Controls the sandbox by a client that is made from the document of its control endpoints."""
    url = sandbox["baseUrl"] + "/sandbox/control.json"
    validate(requests.get(url).json())
    operations = from_url(url)
    operations.config.update(base_url=sandbox["baseUrl"])
    for path, method, body in [
        ("/sandbox/clock", "POST", {"advanceSeconds": 5}),
        ("/sandbox/rates", "POST", {"currencyIso3Code": "MXN", "millionths": 10}),
        ("/sandbox/faults", "POST", {"kind": "drop", "path": "/v1/nonce"}),
        ("/sandbox/transfers", "GET", None),
        ("/sandbox/reset", "POST", None),
    ]:
        given = {} if body is None else {"body": body, "media_type": "application/json"}
        reply = operations[path][method].Case(**given).call_and_validate(excluded_checks=[])
        assert reply.status_code == 200, f"{method} {path}: {reply.status_code}"


# What the generated client does, by its own functions and types.
WITH_GENERATED = """
import sys
from remittance_service_client import AuthenticatedClient
from remittance_service_client.api.people import create_recipient, get_recipient
from remittance_service_client.api.quote import corridors, get_quote, quote
from remittance_service_client.models import RecipientRequest

client = AuthenticatedClient(*sys.argv[1:], raise_on_unexpected_status=True)
assert len(corridors.sync(client=client)) > 10
to = {"dst_country_iso_3_code": "MEX", "dst_currency_iso_3_code": "MXN", "transfer_method": "BANK_ACCOUNT"}
made = quote.sync(client=client, src_currency_iso_3_code="USD", quote_by="SEND_AMOUNT", amount=12550, **to)
assert made.send_amount.value == 12550
assert get_quote.sync(made.quote_history_id, client=client).quote_history_id == made.quote_history_id
fields = [("firstName", "Ana"), ("lastName", "Prueba"), ("ADDRESS_LINE_1", "Calle Mayor 1")]
ana = RecipientRequest.from_dict({
    "userType": "PERSON", "dstCountryIso3Code": "MEX", "dstCurrencyIso3Code": "MXN",
    "fields": [{"id": name, "value": value} for name, value in fields],
})
saved = create_recipient.sync(client=client, body=ana)
assert get_recipient.sync(saved.recipient_id, client=client).recipient_id == saved.recipient_id
"""


def generated(sandbox, session):
    """Generates a client from the document, which then quotes and registers a recipient."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(sysconfig.get_path("scripts"), "openapi-python-client")
        command = [program, "generate", "--url", sandbox["baseUrl"] + DOCUMENT, "--output-path", "client"]
        subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, check=True)
        called = [sys.executable, "-c", WITH_GENERATED, sandbox["baseUrl"], session.token["access_token"]]
        subprocess.run(called, cwd=Path(folder, "client"), check=True)


def main():
    # The sandbox stops when its stdin is closed.
    command = [sys.argv[1], "--port", "0", "--card-port", "0", "--json", "--stop-with-stdin"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        check_all(json.loads(process.stdout.readline()))
    assert process.returncode == 0, f"the sandbox ended with status {process.returncode}"


def check_all(sandbox):
    document = requests.get(sandbox["baseUrl"] + DOCUMENT).json()
    check("openapi-spec-validator finds the document valid", lambda: validate(document))
    check("a client made from the control document controls the sandbox", lambda: control(sandbox))
    client = check(
        "Authlib gets a token, credentials in the header", lambda: authlib(sandbox, "client_secret_basic")
    )
    sender = check(
        "Authlib gets a sender's token, credentials in a form",
        lambda: authlib(sandbox, "client_secret_post", sender_id=sandbox["senderId"]),
    )
    check("a generated client quotes and registers a recipient", lambda: generated(sandbox, sender))
    known = check("a whole transfer succeeds", lambda: records(sender, sandbox))
    check("schemathesis finds nothing wrong, with records", lambda: schemathesis(sandbox, sender, known, 15))
    check("schemathesis finds nothing wrong, as a client", lambda: schemathesis(sandbox, client, {}, 10))


if __name__ == "__main__":
    main()
