"""A rank of torch.distributed with gloo: makes the calls that FOLDER/calls lists, one a line, with the inputs that lie
one after the other in FOLDER/in.RANK, and writes what it gets to FOLDER/out.RANK in the same way.

Usage: gloo_peer.py RANK SIZE FOLDER
"""

import datetime
import os
import sys

os.environ["GLOO_SOCKET_IFNAME"] = "lo"
os.environ["OMP_NUM_THREADS"] = "1"

import torch
import torch.distributed as dist

RANK, SIZE, FOLDER = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]


def empty(like, count):
    return torch.zeros(count, dtype=like.dtype)


def broadcast(tensor, op, root):
    dist.broadcast(tensor, root)
    return tensor


def all_reduce(tensor, op, root):
    dist.all_reduce(tensor, op)
    return tensor


def all_reduce_list(tensor, op, root):
    """Three tensors in one call: the first half, one element, the rest."""
    half = len(tensor) // 2
    parts = [tensor[:half], tensor[half : half + 1], tensor[half + 1 :]]
    dist.all_reduce_coalesced(parts, op)
    return torch.cat(parts)


def reduce(tensor, op, root):
    dist.reduce(tensor, root, op)
    return tensor if RANK == root else None


def all_gather(tensor, op, root):
    parts = [torch.zeros_like(tensor) for _ in range(SIZE)]
    dist.all_gather(parts, tensor)
    return torch.cat(parts)


def gather(tensor, op, root):
    parts = [torch.zeros_like(tensor) for _ in range(SIZE)] if RANK == root else None
    dist.gather(tensor, parts, root)
    return torch.cat(parts) if parts else None


def scatter(tensor, op, root):
    """Of a tensor that every rank has, and only the root gives."""
    block = empty(tensor, len(tensor) // SIZE)
    dist.scatter(block, list(tensor.chunk(SIZE)) if RANK == root else None, root)
    return block


def all_to_all(tensor, op, root):
    output = torch.zeros_like(tensor)
    dist.all_to_all_single(output, tensor)
    return output


def all_to_all_v(tensor, op, root):
    """Rank r has (r + 2s) % 3 units for rank s; as many as those make, the tensor has."""
    units = [[(r + 2 * s) % 3 for s in range(SIZE)] for r in range(SIZE)]
    unit = len(tensor) // sum(units[RANK])
    sent = [unit * blocks for blocks in units[RANK]]
    received = [unit * units[r][RANK] for r in range(SIZE)]
    output = empty(tensor, sum(received))
    dist.all_to_all_single(output, tensor, received, sent)
    return output


def send_recv(tensor, op, root):
    """To the right, from the left, as a batch."""
    output = torch.zeros_like(tensor)
    right = dist.P2POp(dist.isend, tensor, (RANK + 1) % SIZE, tag=7)
    left = dist.P2POp(dist.irecv, output, (RANK - 1) % SIZE, tag=7)
    for work in dist.batch_isend_irecv([right, left]):
        work.wait()
    return output


def send(tensor, op, root):
    """From the root to each other in turn."""
    if RANK != root:
        dist.recv(tensor, root, tag=9)
        return tensor
    for other in range(SIZE):
        if other != root:
            dist.send(tensor, other, tag=9)
    return None


def barrier(tensor, op, root):
    dist.barrier()
    return None


def main():
    dist.init_process_group(
        "gloo",
        init_method=f"file://{FOLDER}/store",
        rank=RANK,
        world_size=SIZE,
        timeout=datetime.timedelta(seconds=60),
    )
    with open(f"{FOLDER}/calls") as calls, open(f"{FOLDER}/in.{RANK}", "rb") as inputs, open(
        f"{FOLDER}/out.{RANK}", "wb"
    ) as outputs:
        for call in calls:
            name, dtype, op, root, counts = call.split()
            dtype = getattr(torch, dtype)
            count = int(counts.split(",")[RANK])
            given = bytearray(inputs.read(count * empty(torch.tensor(0, dtype=dtype), 0).element_size()))
            tensor = torch.frombuffer(given, dtype=dtype) if given else torch.zeros(0, dtype=dtype)
            got = globals()[name](tensor, getattr(dist.ReduceOp, op), int(root))
            if got is not None:
                outputs.write(got.numpy().tobytes())
    # Nobody goes while others still need its connections.
    dist.barrier()


main()
