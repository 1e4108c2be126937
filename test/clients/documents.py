"""Prints, as JSON, the GraphQL documents that installed packages bring along: those of .gql files, and those that stand in their
programs as one text. What a program puts together from pieces is not found; the scripts beside this one run it."""

import ast
import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

from graphql import GraphQLError, parse
from graphql.language import OperationDefinitionNode

is_worth_a_look = re.compile(r"\b(query|mutation|fragment)\b")


def texts_of(path):
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".gql":
        return [text]
    if not is_worth_a_look.search(text):
        return []
    constants = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str) and is_worth_a_look.search(value)]


documents = []
for package in sys.argv[1:]:
    root = Path(find_spec(package).origin).parent
    for path in sorted(path for path in root.rglob("*") if path.suffix in (".py", ".gql")):
        for text in texts_of(path):
            try:
                definitions = parse(text).definitions
            except GraphQLError:
                continue
            operations = [each for each in definitions if isinstance(each, OperationDefinitionNode)]
            names = [operation.name.value if operation.name else "" for operation in operations]
            file = f"{package}/{path.relative_to(root)}"
            documents.append({"file": file, "operations": names, "text": text})
print(json.dumps(documents))
