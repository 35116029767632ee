package dev.equipoise.app.filter;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

/** Value with which a filter compares a field. */
public sealed interface Literal {

    /** Returns the value as a bind parameter of JDBC. */
    Object parameter();

    record Text(String value) implements Literal {

        @Override
        public Object parameter() {
            return value;
        }
    }

    /** A whole number, which a double could not have exactly. */
    record Whole(long value) implements Literal {

        @Override
        public Object parameter() {
            return value;
        }
    }

    record Real(double value) implements Literal {

        @Override
        public Object parameter() {
            return value;
        }
    }

    record Flag(boolean value) implements Literal {

        @Override
        public Object parameter() {
            return value;
        }
    }

    record Moment(Instant value) implements Literal {

        @Override
        public Object parameter() {
            return value.atOffset(ZoneOffset.UTC);
        }
    }

    record Id(UUID value) implements Literal {

        @Override
        public Object parameter() {
            return value;
        }
    }
}
