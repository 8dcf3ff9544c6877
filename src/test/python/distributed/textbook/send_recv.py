"""One blocking send and receive. Usage: send_recv.py BACKEND"""

import sys

import torch
import torch.distributed as dist

dist.init_process_group(sys.argv[1])
tensor = torch.zeros(1)
if dist.get_rank() == 0:
    tensor += 1
    dist.send(tensor=tensor, dst=1)
elif dist.get_rank() == 1:
    dist.recv(tensor=tensor, src=0)
print("has", tensor[0])
