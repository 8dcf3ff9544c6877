"""The messages of ``parex.v1``, made when the module is imported from a description of them, ``parex.protoset``.

No generated code is involved, so any ``protoc`` may have made the description and any version of protobuf's Python
library reads it. The classes live in a pool of their own, apart from what else the program has loaded.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, duration_pb2, message_factory

_PACKAGE = "parex.v1."
_PROTOSET = Path(__file__).with_name("parex.protoset")


def _load() -> descriptor_pool.DescriptorPool:
    try:
        description = descriptor_pb2.FileDescriptorSet.FromString(_PROTOSET.read_bytes())
    except FileNotFoundError as error:
        raise ImportError(
            f"{_PROTOSET} is missing: the build makes it. Install the package with pip, or use target/python of a build"
        ) from error
    pool = descriptor_pool.DescriptorPool()
    # What comes with protobuf is its own, whether the description has it too or not, in another version perhaps.
    pool.AddSerializedFile(duration_pb2.DESCRIPTOR.serialized_pb)
    for file in description.file:
        if not file.name.startswith("google/protobuf/"):
            pool.AddSerializedFile(file.SerializeToString())
    return pool


_POOL = _load()


def _message(name: str) -> Any:
    descriptor = _POOL.FindMessageTypeByName(_PACKAGE + name)
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    # Before protobuf 4.22.
    return message_factory.MessageFactory(_POOL).GetPrototype(descriptor)


def enum_names(name: str, prefix: str) -> dict[int, str]:
    """Names of the values of an enum by number: in lower case, without ``prefix``."""
    values = _POOL.FindEnumTypeByName(_PACKAGE + name).values
    return {value.number: value.name.removeprefix(prefix).lower() for value in values}


ClientMessage = _message("ClientMessage")
ServerMessage = _message("ServerMessage")
Operation = _message("Operation")
CallError = _message("CallError")
GetWorldRequest = _message("GetWorldRequest")
GetWorldResponse = _message("GetWorldResponse")
CreateGroupRequest = _message("CreateGroupRequest")
CreateGroupResponse = _message("CreateGroupResponse")
CloseGroupRequest = _message("CloseGroupRequest")
CloseGroupResponse = _message("CloseGroupResponse")
RecoverRequest = _message("RecoverRequest")
RecoverResponse = _message("RecoverResponse")
