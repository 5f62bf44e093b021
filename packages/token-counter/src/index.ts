export { createTokenEstimator, type RequestSize, type TokenEstimator } from "./create-token-estimator.js";
