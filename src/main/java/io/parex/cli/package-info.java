/**
 * The command line: one class per command, parsed by picocli in a plain {@code main}, so that {@code --help} starts no
 * server. May use every package. Commands run on the main thread, which may block.
 */
package io.parex.cli;
