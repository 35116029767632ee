package dev.equipoise.agent.model;

import java.util.Arrays;
import java.util.List;

/** Attribute of a node: an integer or a list of integers. */
record OnnxAttribute(String name, boolean isList, List<Long> values) {

    private static final int NAME = 1;
    private static final int INTEGER = 3;
    private static final int INTEGERS = 8;
    private static final int TYPE = 20;
    private static final int TYPE_INTEGER = 2;
    private static final int TYPE_INTEGERS = 7;

    OnnxAttribute {
        values = List.copyOf(values);
    }

    static OnnxAttribute of(String name, long value) {
        return new OnnxAttribute(name, false, List.of(value));
    }

    static OnnxAttribute list(String name, long... values) {
        return new OnnxAttribute(name, true, Arrays.stream(values).boxed().toList());
    }

    /** Returns the attribute as an AttributeProto. */
    ProtoMessage toProto() {
        ProtoMessage proto = new ProtoMessage().text(NAME, name);
        values.forEach(value -> proto.number(isList ? INTEGERS : INTEGER, value));
        return proto.number(TYPE, isList ? TYPE_INTEGERS : TYPE_INTEGER);
    }
}
