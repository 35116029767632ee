/**
 * Functional performance models and partitioners: who takes how many samples, so that all are done
 * at the same time. The service shares before a run, the ranks of one that balances itself anew
 * between epochs.
 */
@NullMarked
package dev.equipoise.performance.partition;

import org.jspecify.annotations.NullMarked;
