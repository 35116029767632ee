/** Services that a user has logged in to, stored in a file that only the user can read. */
@NullMarked
package dev.equipoise.launcher.context;

import org.jspecify.annotations.NullMarked;
