package dev.equipoise.app.filter;

import java.util.List;

/**
 * Condition of a filter, true or false of each item. A comparison with a value that an item does
 * not have is false, and its negation is true.
 */
public sealed interface Condition {

    /** True if all are; also without any. */
    record And(List<Condition> all) implements Condition {

        public And {
            all = List.copyOf(all);
        }
    }

    /** True if any is. */
    record Or(List<Condition> any) implements Condition {

        public Or {
            any = List.copyOf(any);
        }
    }

    record Not(Condition inner) implements Condition {}

    /**
     * Comparison with one value.
     *
     * @param operator one that the type of the field has
     */
    record Compared(FilterField field, Operator operator, Literal value) implements Condition {}

    /** Equality with one of some values. */
    record OneOf(FilterField field, List<Literal> values) implements Condition {

        public OneOf {
            values = List.copyOf(values);
        }
    }

    /** True if the item has a value of the field. */
    record Present(FilterField field) implements Condition {}
}
