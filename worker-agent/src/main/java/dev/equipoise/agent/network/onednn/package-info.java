/**
 * Steps as primitives of oneDNN, called through bytedeco, on given memory: the fast backend for
 * every processor that oneDNN supports.
 */
@NullMarked
package dev.equipoise.agent.network.onednn;

import org.jspecify.annotations.NullMarked;
