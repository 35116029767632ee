/**
 * Steps as primitives of oneDNN, called through bytedeco, on memory that is already there: the fast
 * way on every processor that oneDNN knows.
 */
@NullMarked
package dev.equipoise.agent.network.onednn;

import org.jspecify.annotations.NullMarked;
