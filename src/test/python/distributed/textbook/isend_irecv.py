"""One send and receive that are started and waited for. Usage: isend_irecv.py BACKEND"""

import sys

import torch
import torch.distributed as dist

dist.init_process_group(sys.argv[1])
tensor = torch.zeros(1)
request = None
if dist.get_rank() == 0:
    tensor += 1
    request = dist.isend(tensor=tensor, dst=1)
elif dist.get_rank() == 1:
    request = dist.irecv(tensor=tensor, src=0)
if request is not None:
    request.wait()
print("has", tensor[0])
