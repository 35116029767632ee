package dev.equipoise.app.rate;

import org.apache.coyote.http11.Http11NioProtocol;

/** HTTP over connections of which nobody may have all. The container makes it, by its name. */
public final class SharedProtocol extends Http11NioProtocol {

    public SharedProtocol() {
        super(new SharedEndpoint());
    }
}
