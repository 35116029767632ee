package dev.equipoise.app.rate;

import org.apache.coyote.http11.Http11NioProtocol;

/** HTTP over fairly shared connections. The servlet container creates it by its class name. */
public final class SharedProtocol extends Http11NioProtocol {

    public SharedProtocol() {
        super(new FairConnectionEndpoint());
    }
}
