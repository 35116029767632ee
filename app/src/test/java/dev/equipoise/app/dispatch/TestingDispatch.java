package dev.equipoise.app.dispatch;

import org.springframework.beans.factory.BeanFactory;

/** Runs tasks of the dispatch module of a service. */
public final class TestingDispatch {

    private TestingDispatch() {}

    /** Removes files of checkpoints that nobody needs. */
    public static void removeLeftOverCheckpoints(BeanFactory service) {
        service.getBean(OldCheckpoints.class).removeLeftOver();
    }

    /** Removes files of models that nobody needs. */
    public static void removeLeftOverModels(BeanFactory service) {
        service.getBean(OldModels.class).removeLeftOver();
    }
}
