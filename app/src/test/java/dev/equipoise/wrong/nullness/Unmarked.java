package dev.equipoise.wrong.nullness;

import org.jspecify.annotations.NullUnmarked;

@NullUnmarked
class Unmarked {}
