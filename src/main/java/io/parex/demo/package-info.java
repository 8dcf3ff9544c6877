/**
 * The training of {@code parex demo}: a multilayer perceptron on real handwritten digits, trained by data-parallel
 * workers that average their gradients through an {@link io.parex.demo.Exchange}, and once more by one plain loop that
 * exchanges nothing. The demo holds if both trainings tell the same story.
 *
 * <p>May use {@code io.parex.client}, {@code io.parex} and the JDK. Each worker is one blocking thread of its own;
 * nothing here runs on an event loop. Only {@link io.parex.demo.EpochBoard} is shared between the workers.
 */
package io.parex.demo;
