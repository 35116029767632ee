package dev.equipoise.app.rate;

/** A caller, as its requests are counted. */
public interface Counted {

    /** The same for all requests that count together, and another for everybody else's. */
    String countedAs();
}
