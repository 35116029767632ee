/**
 * Data sets: found on this machine or fetched from where they were published, verified by checksum,
 * read; and who gets which samples when. Data is never made up and never quietly replaced.
 */
@NullMarked
package dev.equipoise.agent.dataset;

import org.jspecify.annotations.NullMarked;
