/**
 * Tensors in memory and the arithmetic on them: element types, views, reductions and the pool of buffers.
 *
 * <p>{@link io.parex.tensor.Reductions} is the entry to the arithmetic: it gives a {@link io.parex.tensor.Reduction}
 * for a type and an operation, which combines and converts runs of elements where they lie. Below it are kernels, one
 * loop for each type and operation, in two kinds proved equal: scalar (the reference) and vector (the incubating Vector
 * API, used where the JVM has it). {@link io.parex.tensor.BufferPool} lends off-heap memory under a limit.
 *
 * <p>May depend on the JDK alone, beside {@code io.parex} itself. No threads of its own: everything here may be called
 * from any thread; who may touch the memory behind a view, and when, is the caller's affair.
 */
package io.parex.tensor;
