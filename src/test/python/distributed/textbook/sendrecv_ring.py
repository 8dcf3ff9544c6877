"""A sum that goes round a ring of ranks, by sends to the right. Usage: sendrecv_ring.py BACKEND"""

import sys

import torch
import torch.distributed as dist

dist.init_process_group(sys.argv[1])
rank, size = dist.get_rank(), dist.get_world_size()
left, right = (rank - 1) % size, (rank + 1) % size
outgoing = torch.arange(4.0) * (rank + 1)
total, incoming = outgoing.clone(), torch.zeros(4)
for _ in range(size - 1):
    request = dist.isend(outgoing, right)
    dist.recv(incoming, left)
    request.wait()
    total += incoming
    outgoing.copy_(incoming)
print("has", total.tolist())
