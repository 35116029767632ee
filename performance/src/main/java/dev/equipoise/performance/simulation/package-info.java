/**
 * How long runs would take: clocks, links and servers, and no gradients. Each method is played as
 * its replicas would go through it, from computing to exchanging and back.
 */
@NullMarked
package dev.equipoise.performance.simulation;

import org.jspecify.annotations.NullMarked;
