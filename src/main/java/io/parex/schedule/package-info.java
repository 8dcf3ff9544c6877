/**
 * Collectives as data: the steps of a schedule, the builder that derives what each step waits for, the validator that
 * runs the schedules of a whole world symbolically, the printer, and the arithmetic of rings, trees and chunks. Depends
 * on the JDK alone. Pure: no threads, no memory of tensors, no I/O; everything it hands out is immutable.
 */
package io.parex.schedule;
