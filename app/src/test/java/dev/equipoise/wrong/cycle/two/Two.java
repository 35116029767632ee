package dev.equipoise.wrong.cycle.two;

import dev.equipoise.wrong.cycle.one.One;

/** Depends on {@link One}. */
public class Two {

    One one() {
        return new One();
    }
}
