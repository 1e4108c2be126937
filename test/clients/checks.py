"""What the scripts beside this one share: each check is a sentence and a function; the outcome is one line of JSON each."""

import json
import os
import sys
import traceback
import warnings

warnings.simplefilter("ignore")

SERVER = os.environ["DATAHUB_GMS_URL"]
TOKEN = os.environ["DATAHUB_GMS_TOKEN"]

checks = []


def check(sentence):
    def register(function):
        checks.append((sentence, function))
        return function

    return register


def run_checks():
    for sentence, function in checks:
        detail = None
        try:
            function()
        except Exception:
            detail = traceback.format_exc()
        print(json.dumps({"check": sentence, "detail": detail}), flush=True)
    sys.exit(0)


def expect_refusal(function, *words):
    """The call has to fail with a message that holds the words."""
    try:
        function()
    except Exception as error:
        missing = [word for word in words if word not in str(error)]
        assert not missing, f"{missing} not in {error}"
        return
    raise AssertionError("this was not refused")
