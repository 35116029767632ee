package dev.equipoise.wrong.cycle.two;

import dev.equipoise.wrong.cycle.one.One;

/** Needs one. */
public class Two {

    One one() {
        return new One();
    }
}
