The card form of this session, which the runner also serves without ".js".
