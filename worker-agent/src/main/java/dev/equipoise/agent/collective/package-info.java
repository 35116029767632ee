/** What all ranks of a run do together, on any channel: sum vectors, take means, wait for all. */
@NullMarked
package dev.equipoise.agent.collective;

import org.jspecify.annotations.NullMarked;
