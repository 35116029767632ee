package dev.equipoise.protocol.wrong;

import tools.jackson.databind.JsonNode;

record ReadsItself(String text) {

    static ReadsItself of(JsonNode node) {
        return new ReadsItself(node.path("text").stringValue(""));
    }
}
