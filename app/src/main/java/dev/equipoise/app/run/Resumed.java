package dev.equipoise.app.run;

import dev.equipoise.protocol.Continuation;
import dev.equipoise.protocol.Position;

/**
 * With what the ranks of a run go on that was interrupted.
 *
 * @param parameters checksum of the weights there
 */
public record Resumed(Continuation continuation, String parameters) {

    /** The same weights, said to be of another place. */
    Resumed from(Position place) {
        return new Resumed(new Continuation(place, continuation.holders()), parameters);
    }
}
