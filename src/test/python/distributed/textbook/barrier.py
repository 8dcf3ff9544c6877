"""Ranks that meet, and a collective in a group of two. Usage: barrier.py BACKEND"""

import sys

import torch
import torch.distributed as dist

dist.init_process_group(sys.argv[1])
dist.barrier()
group = dist.new_group([0, 1])
tensor = torch.ones(1)
if dist.get_rank() < 2:
    dist.all_reduce(tensor, op=dist.ReduceOp.SUM, group=group)
dist.barrier()
print("has", tensor[0])
