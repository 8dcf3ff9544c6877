/** What every package of Parex may use: the one exception type and its kinds. Depends on the JDK alone; no threads. */
package io.parex;
