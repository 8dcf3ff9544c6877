"""DistributedDataParallel and what builds on it, beside a reference in one process and beside gloo."""

from __future__ import annotations

import copy
import gzip
from pathlib import Path

import torch
import torch.distributed as dist
from job import Ranks, check, fails, run_checks, same
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import fp16_compress_hook
from torch.distributed.algorithms.join import Join
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel

EPOCHS = 3
BATCH = 64
# The digits that the demonstration trains with: 64 pixels and the digit, a line each.
DIGITS = Path(__file__).parents[4] / "main" / "resources" / "io" / "parex" / "demo"


def small_net() -> torch.nn.Module:
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.ReLU(), torch.nn.Linear(32, 10))


def batch_of(rank: int, count: int = 8) -> tuple[torch.Tensor, torch.Tensor]:
    source = torch.Generator().manual_seed(100 + rank)
    return torch.rand(count, 64, generator=source), torch.randint(10, (count,), generator=source)


def loss_of(model: torch.nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    return torch.nn.functional.cross_entropy(model(batch[0]), batch[1])


def gradients(model: torch.nn.Module) -> list[torch.Tensor]:
    return [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]


def reference(model: torch.nn.Module, size: int) -> list[torch.Tensor]:
    """Gradients of all ranks' batches as the mean of their own, in one process."""
    total: list[torch.Tensor] = []
    for rank in range(size):
        alone = copy.deepcopy(model)
        loss_of(alone, batch_of(rank)).backward()
        parts = [gradient / size for gradient in gradients(alone)]
        total = [before + part for before, part in zip(total, parts, strict=True)] if total else parts
    return total


@check(2)
def gradients_are_those_of_one_process(on: Ranks) -> None:
    model = DistributedDataParallel(small_net(), process_group=on.group, bucket_cap_mb=0.005)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        expected = reference(model.module, 2)
        optimizer.zero_grad()
        loss_of(model, batch_of(on.rank)).backward()
        for gradient, wanted in zip(gradients(model), expected, strict=True):
            same(gradient, wanted)
        optimizer.step()


@check(2)
def the_first_rank_gives_the_parameters(on: Ranks) -> None:
    torch.manual_seed(on.rank)
    model = DistributedDataParallel(torch.nn.Linear(5, 5), process_group=on.group)
    parts = [torch.empty(5, 5) for _ in range(2)]
    dist.all_gather(parts, model.module.weight.detach(), group=on.group)
    same(parts[0], parts[1])


@check(2)
def no_sync_collects_gradients(on: Ranks) -> None:
    model = DistributedDataParallel(small_net(), process_group=on.group)
    expected = [2 * gradient for gradient in reference(model.module, 2)]
    with model.no_sync():
        loss_of(model, batch_of(on.rank)).backward()
    loss_of(model, batch_of(on.rank)).backward()
    for gradient, wanted in zip(gradients(model), expected, strict=True):
        torch.testing.assert_close(gradient, wanted)


@check(2)
def buffers_are_those_of_the_first_rank(on: Ranks) -> None:
    model = DistributedDataParallel(
        torch.nn.Sequential(torch.nn.Linear(64, 4), torch.nn.BatchNorm1d(4)), process_group=on.group
    )
    for _ in range(2):
        model(batch_of(on.rank)[0]).sum().backward()
    # They are broadcast at the begin of a forward pass.
    model.eval()
    model.train()
    model(batch_of(0)[0])
    means = [torch.empty(4) for _ in range(2)]
    dist.all_gather(means, model.module[1].running_mean, group=on.group)
    same(means[0], means[1])


@check(2)
def join_lets_ranks_have_different_numbers_of_batches(on: Ranks) -> None:
    model = DistributedDataParallel(small_net(), process_group=on.group)
    steps = 0
    with model.join():
        for _ in range(2 + 2 * on.rank):
            loss_of(model, batch_of(on.rank)).backward()
            steps += 1
    assert steps == 2 + 2 * on.rank
    optimizer = ZeroRedundancyOptimizer(
        model.parameters(), torch.optim.SGD, process_group=on.group, lr=0.1
    )
    with Join([model, optimizer]):
        for _ in range(1 + on.rank):
            loss_of(model, batch_of(on.rank)).backward()
            optimizer.step()
    dist.barrier(group=on.group)


@check(2)
def a_hook_compresses_gradients(on: Ranks) -> None:
    model = DistributedDataParallel(small_net(), process_group=on.group)
    model.register_comm_hook(on.group, fp16_compress_hook)
    loss_of(model, batch_of(on.rank)).backward()
    for gradient, wanted in zip(gradients(model), reference(model.module, 2), strict=True):
        torch.testing.assert_close(gradient, wanted, rtol=2e-3, atol=1e-4)
        same(gradient, gradient.half().float())


@check(3)
def the_state_of_an_optimizer_is_shared(on: Ranks) -> None:
    alone, model = small_net(), DistributedDataParallel(small_net(), process_group=on.group)
    optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, process_group=on.group, lr=0.01)
    whole = torch.optim.Adam(alone.parameters(), lr=0.01)
    for _ in range(3):
        loss_of(model, batch_of(on.rank)).backward()
        for parameter, synchronised in zip(alone.parameters(), model.parameters(), strict=True):
            parameter.grad = synchronised.grad.clone()  # type: ignore[union-attr]
        whole.step()
        optimizer.step()
        optimizer.zero_grad()
    for parameter, synchronised in zip(alone.parameters(), model.parameters(), strict=True):
        torch.testing.assert_close(parameter, synchronised, rtol=1e-6, atol=1e-6)


@check(2)
def ranks_that_disagree_about_the_model_are_told(on: Ranks) -> None:
    # Rank 0, whose model is the right one, learns of it from the other, which ends the group.
    words = ("sizes", "process 0") if on.rank else ("rank 1",)
    model = torch.nn.Linear(4 + on.rank, 1)
    fails(RuntimeError, lambda: DistributedDataParallel(model, process_group=on.group), *words)


@check(2)
def a_failure_comes_out_of_the_backward_pass(on: Ranks) -> None:
    model = DistributedDataParallel(small_net(), process_group=on.group)
    if on.rank == 0:
        fails(RuntimeError, lambda: loss_of(model, batch_of(0)).backward(), "LeftError", "rank 1")
    else:
        on.group.shutdown()


def digits() -> torch.utils.data.TensorDataset:
    rows = torch.tensor([[float(each) for each in line.split(",")] for line in lines_of_digits()])
    return torch.utils.data.TensorDataset(rows[:, :64] / 16, rows[:, 64].long())


def lines_of_digits() -> list[str]:
    files = sorted(DIGITS.glob("*digits*"))
    text = "".join(
        (gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()).decode() for file in files
    )
    return [line for line in text.splitlines() if line.count(",") == 64]


def train(on: Ranks, group: object, data: torch.utils.data.Dataset[object]) -> list[float]:
    """Losses of all steps of some epochs, the mean of all ranks. The batches come from a child process."""
    model = DistributedDataParallel(small_net(), process_group=group)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    sampler = torch.utils.data.DistributedSampler(data, on.size, on.rank)  # type: ignore[arg-type, var-annotated]
    loader = torch.utils.data.DataLoader(data, BATCH, sampler=sampler, num_workers=1)
    losses = []
    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        for batch in loader:
            optimizer.zero_grad()
            loss = loss_of(model, batch)
            loss.backward()
            optimizer.step()
            mean = loss.detach().clone()
            dist.all_reduce(mean, group=group)
            losses.append(float(mean) / on.size)
    return losses


@check(2, gloo=True)
def losses_are_those_of_gloo(on: Ranks) -> None:
    data = digits()
    assert len(data) > 1000
    ours, theirs = train(on, on.group, data), train(on, on.gloo, data)
    assert len(ours) == len(theirs) > EPOCHS
    assert max(abs(a - b) for a, b in zip(ours, theirs, strict=True)) <= 1e-6
    assert ours[-1] < ours[0] / 3, (ours[0], ours[-1])


run_checks()
